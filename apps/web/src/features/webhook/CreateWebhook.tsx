import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { SelectField } from '../../shared/components/Field'
import type { MakerProps } from '../../shared/components/SecretDialog'
import { useMyAgents } from '../../shared/query/agent'
import { useSpaces } from '../../shared/query/space'
import { spaceOption } from '../../shared/query/space-name'
import { useCreateWebhook } from '../../shared/query/webhook'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { draftOf, FIRST_WISH, type WebhookWish } from './draft'
import { createWebhookTexts, webhooksTexts } from './texts'
import { AddressField, PayloadField, TypesField } from './WebhookFields'

/** Creates a webhook for a space or an inbox. */
export function CreateWebhook({ onClose, onMade }: MakerProps) {
  const { account } = useSession()
  const isAgent = account.kind === 'agent'
  const { data: all = [] } = useSpaces()
  // Archived spaces have no new events.
  const spaces = all.filter(({ status }) => status !== 'archived')
  const { data: agents = [] } = useMyAgents()
  const [wish, setWish] = useState<WebhookWish>({ ...FIRST_WISH, about: isAgent ? 'inbox' : 'space' })
  const create = useCreateWebhook()
  const words = createWebhookTexts
  const change = (part: Partial<WebhookWish>) => setWish({ ...wish, ...part })
  const fields = { wish, onChange: change }
  // The list is sorted by activity, so that its first entry may change while the dialog is open.
  const [firstSpaceId, setFirstSpaceId] = useState('')
  if (firstSpaceId === '' && spaces[0]) setFirstSpaceId(spaces[0].space_id)
  const spaceId = wish.spaceId || firstSpaceId
  const actorId = wish.actorId || account.actorId
  const isPossible = wish.about === 'inbox' || (spaceId !== '' && wish.types.length > 0)

  const submit = () => {
    create.mutate(draftOf({ ...wish, spaceId, actorId }), { onSuccess: ({ secret }) => onMade(secret) })
  }
  return (
    <FormDialog
      title={webhooksTexts.create}
      description={words.text}
      asked={create}
      submit={words.submit}
      isPossible={isPossible}
      onClose={onClose}
      onSubmit={submit}
    >
      <AddressField {...fields} />
      {!isAgent && (
        <SelectField
          label={words.about}
          hint={words.aboutHints[wish.about]}
          value={wish.about}
          options={words.abouts}
          onChange={(about) => change({ about })}
        />
      )}
      {wish.about === 'space' ? (
        <>
          <SelectField
            label={words.space}
            value={spaceId}
            options={spaces.map(spaceOption)}
            onChange={(spaceId) => change({ spaceId })}
          />
          <TypesField {...fields} />
        </>
      ) : (
        <SelectField
          label={words.inbox}
          value={actorId}
          options={[
            { value: account.actorId, label: texts.people.you(account.name) },
            ...agents.map(({ actor_id, display_name }) => ({
              value: actor_id,
              label: texts.people.agentNamed(display_name),
            })),
          ]}
          onChange={(actorId) => change({ actorId })}
        />
      )}
      <PayloadField {...fields} />
      <SelectField label={words.from} value={wish.from} options={words.starts} onChange={(from) => change({ from })} />
    </FormDialog>
  )
}
