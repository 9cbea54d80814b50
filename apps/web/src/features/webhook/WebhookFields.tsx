import { LIMITS } from '@collab-spaces/client'
import { ChoiceList } from '../../shared/components/ChoiceList'
import { SelectField, TextField } from '../../shared/components/Field'
import { SPACE_TYPES, type WebhookContent } from './draft'
import { createWebhookTexts } from './texts'

interface WebhookFieldProps {
  readonly draft: WebhookContent
  readonly onChange: (part: Partial<WebhookContent>) => void
}

/** The URL that receives the requests. */
export function AddressField({ draft, onChange }: WebhookFieldProps) {
  const words = createWebhookTexts
  return (
    <TextField
      label={words.url}
      hint={words.urlHint}
      type="url"
      value={draft.url}
      onChange={(url) => onChange({ url })}
      maxLength={LIMITS.webhookUrl}
      placeholder="https://"
      spellCheck={false}
      required
    />
  )
}

/** The event types to send for a space. */
export function TypesField({ draft, onChange }: WebhookFieldProps) {
  const words = createWebhookTexts
  return (
    <ChoiceList
      label={words.types}
      options={SPACE_TYPES.map((value) => ({ value, label: words.typeNames[value] }))}
      selected={draft.types}
      onChange={(types) => onChange({ types })}
    />
  )
}

/** The content of each request. */
export function PayloadField({ draft, onChange }: WebhookFieldProps) {
  const words = createWebhookTexts
  return (
    <SelectField
      label={words.payload}
      hint={words.payloadHints[draft.payload]}
      value={draft.payload}
      options={words.payloads}
      onChange={(payload) => onChange({ payload })}
    />
  )
}
