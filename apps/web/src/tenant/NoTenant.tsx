import { LIMITS } from '@collab-spaces/client'
import { type FormEvent, useState } from 'react'
import { Button } from '../components/Button'
import { ErrorNote } from '../components/ErrorNote'
import { TextField } from '../components/Field'
import { PageFrame, Section } from '../components/PageFrame'
import { useCreateTenant } from '../query/tenant'
import { RedeemInvite } from '../session/RedeemInvite'
import { useSession } from '../session/session'
import { texts } from '../texts'
import styles from './NoTenant.module.css'

/** For those who share the installation with everybody: what a tenant is, and the two ways into one. */
export function NoTenant() {
  const { account } = useSession()
  const words = texts.noTenant
  return (
    <PageFrame title={words.title} lead={words.lead}>
      {account.kind === 'human' && (
        <>
          <Section title={words.create}>
            <Create />
          </Section>
          <Section title={words.join}>
            <Join />
          </Section>
        </>
      )}
    </PageFrame>
  )
}

function Create() {
  const [name, setName] = useState('')
  const create = useCreateTenant()
  const words = texts.noTenant
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(name)
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
      {create.isError && <ErrorNote error={create.error} />}
      <div>
        <Button look="primary" type="submit" isBusy={create.isPending}>
          {words.submit}
        </Button>
      </div>
    </form>
  )
}

function Join() {
  const [isOpen, setIsOpen] = useState(false)
  const words = texts.noTenant
  return (
    <div className={styles.card}>
      <p>{words.joinText}</p>
      <div>
        <Button onClick={() => setIsOpen(true)}>{texts.redeem.title}</Button>
      </div>
      <RedeemInvite isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </div>
  )
}
