import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { SelectField } from '../../shared/components/Field'
import type { CreateDialogProps } from '../../shared/components/SecretDialog'
import { useMyAgents } from '../../shared/query/agent'
import { useSpaces } from '../../shared/query/space'
import { spaceOption } from '../../shared/query/space-name'
import { useCreateWebhook } from '../../shared/query/webhook'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { INITIAL_DRAFT, type WebhookDraft, webhookInput } from './draft'
import { createWebhookTexts, webhooksTexts } from './texts'
import { AddressField, PayloadField, TypesField } from './WebhookFields'

/** Creates a webhook for a space or an inbox. */
export function CreateWebhook({ onClose, onMade }: CreateDialogProps) {
  const { account } = useSession()
  const isAgent = account.kind === 'agent'
  const { data: all = [] } = useSpaces()
  // Archived spaces have no new events.
  const spaces = all.filter(({ status }) => status !== 'archived')
  const { data: agents = [] } = useMyAgents()
  const [draft, setDraft] = useState<WebhookDraft>({ ...INITIAL_DRAFT, about: isAgent ? 'inbox' : 'space' })
  const create = useCreateWebhook()
  const words = createWebhookTexts
  const change = (part: Partial<WebhookDraft>) => setDraft({ ...draft, ...part })
  const fields = { draft, onChange: change }
  // The list is sorted by activity, so that its first entry may change while the dialog is open.
  const [firstSpaceId, setFirstSpaceId] = useState('')
  if (firstSpaceId === '' && spaces[0]) setFirstSpaceId(spaces[0].space_id)
  const spaceId = draft.spaceId || firstSpaceId
  const actorId = draft.actorId || account.actorId
  const isPossible = draft.about === 'inbox' || (spaceId !== '' && draft.types.length > 0)

  const submit = () => {
    create.mutate(webhookInput({ ...draft, spaceId, actorId }), { onSuccess: ({ secret }) => onMade(secret) })
  }
  return (
    <FormDialog
      title={webhooksTexts.create}
      description={words.text}
      request={create}
      submit={words.submit}
      isPossible={isPossible}
      onClose={onClose}
      onSubmit={submit}
    >
      <AddressField {...fields} />
      {!isAgent && (
        <SelectField
          label={words.about}
          hint={words.aboutHints[draft.about]}
          value={draft.about}
          options={words.abouts}
          onChange={(about) => change({ about })}
        />
      )}
      {draft.about === 'space' ? (
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
      <SelectField label={words.from} value={draft.from} options={words.starts} onChange={(from) => change({ from })} />
    </FormDialog>
  )
}
