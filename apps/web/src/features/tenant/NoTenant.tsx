import { LIMITS } from '@collab-spaces/client'
import { type FormEvent, useState } from 'react'
import { Button } from '../../shared/components/Button'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { CheckField, TextField } from '../../shared/components/Field'
import { Loaded } from '../../shared/components/Loaded'
import { PageFrame, Section } from '../../shared/components/PageFrame'
import { type SpaceMove, useCreateTenant, useSpaceMove } from '../../shared/query/tenant'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { RedeemInvite } from '../session/RedeemInvite'
import { redeemTexts } from '../session/texts'
import styles from './NoTenant.module.css'
import { noTenantTexts } from './texts'

/** For accounts without a tenant: explains tenants, creates one, or redeems an invite. */
export function NoTenant() {
  const { account } = useSession()
  const plan = useSpaceMove()
  const words = noTenantTexts
  return (
    <PageFrame title={words.title} lead={words.lead}>
      {account.kind === 'human' && (
        <>
          <Section title={words.create}>
            <Loaded query={plan} rows={3}>
              {(plan) => <Create plan={plan} />}
            </Loaded>
          </Section>
          <Section title={words.join}>
            <Join />
          </Section>
        </>
      )}
    </PageFrame>
  )
}

function Create({ plan }: { readonly plan: SpaceMove }) {
  const [name, setName] = useState('')
  const [brings, setBrings] = useState(true)
  const create = useCreateTenant()
  const words = noTenantTexts
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name, bring_spaces: brings })
  }
  return (
    <form className={styles.card} onSubmit={submit}>
      <p>{words.createText}</p>
      <TextField
        label={texts.name}
        hint={words.nameHint}
        value={name}
        onChange={setName}
        maxLength={LIMITS.tenantName}
        autoComplete="organization"
        required
      />
      <Spaces plan={plan} brings={brings} onBrings={setBrings} />
      {create.isError && <ErrorNote error={create.error} />}
      <div>
        <Button look="primary" type="submit" isBusy={create.isPending}>
          {words.submit}
        </Button>
      </div>
    </form>
  )
}

interface SpacesProps {
  readonly plan: SpaceMove
  readonly brings: boolean
  readonly onBrings: (brings: boolean) => void
}

/** The spaces that move into the new tenant, and those that stay, with the reason. */
function Spaces({ plan: { moves, stays, links_removed, webhooks_disabled }, brings, onBrings }: SpacesProps) {
  const words = noTenantTexts
  return (
    <>
      {moves.length > 0 && (
        <CheckField
          label={words.bring(moves.length)}
          hint={[words.listed(moves.map(nameOf)), words.ends(links_removed, webhooks_disabled)]
            .filter(Boolean)
            .join(' ')}
          checked={brings}
          onChange={onBrings}
        />
      )}
      {stays.length > 0 && (
        <ul>
          {stays.map((space) => (
            <li key={space.space_id}>{words.stays(nameOf(space), space.detail)}</li>
          ))}
        </ul>
      )}
    </>
  )
}

const nameOf = ({ title, space_id }: { readonly title: string | null; readonly space_id: string }) => title ?? space_id

function Join() {
  const [isOpen, setIsOpen] = useState(false)
  const words = noTenantTexts
  return (
    <div className={styles.card}>
      <p>{words.joinText}</p>
      <div>
        <Button onClick={() => setIsOpen(true)}>{redeemTexts.title}</Button>
      </div>
      <RedeemInvite isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </div>
  )
}
