import type { Webhook } from '@collab-spaces/client'
import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { useChangeWebhook } from '../../shared/query/webhook'
import { changeOf, contentOf } from './draft'
import { editWebhookTexts } from './texts'
import { AddressField, PayloadField, TypesField } from './WebhookFields'

/** Edits the URL and content of a webhook. Its space or inbox cannot change. */
export function EditWebhook({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const [draft, setDraft] = useState(contentOf(webhook))
  const change = useChangeWebhook(webhook.webhook_id)
  const words = editWebhookTexts
  const fields = { draft, onChange: (part: Partial<typeof draft>) => setDraft({ ...draft, ...part }) }
  const isOfSpace = webhook.space_id !== null

  const submit = () => {
    change.mutate(changeOf(webhook, draft), { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={words.title}
      description={words.text}
      request={change}
      isPossible={!isOfSpace || draft.types.length > 0}
      onClose={onClose}
      onSubmit={submit}
    >
      <AddressField {...fields} />
      {isOfSpace && <TypesField {...fields} />}
      <PayloadField {...fields} />
    </FormDialog>
  )
}
