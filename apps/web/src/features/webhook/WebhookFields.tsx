import { LIMITS } from '@collab-spaces/client'
import { ChoiceList } from '../../shared/components/ChoiceList'
import { SelectField, TextField } from '../../shared/components/Field'
import { SPACE_TYPES, type WebhookContent } from './draft'
import { createWebhookTexts } from './texts'

interface WebhookFieldProps {
  readonly wish: WebhookContent
  readonly onChange: (part: Partial<WebhookContent>) => void
}

/** The URL that receives the requests. */
export function AddressField({ wish, onChange }: WebhookFieldProps) {
  const words = createWebhookTexts
  return (
    <TextField
      label={words.url}
      hint={words.urlHint}
      type="url"
      value={wish.url}
      onChange={(url) => onChange({ url })}
      maxLength={LIMITS.webhookUrl}
      placeholder="https://"
      spellCheck={false}
      required
    />
  )
}

/** The event types to send for a space. */
export function TypesField({ wish, onChange }: WebhookFieldProps) {
  const words = createWebhookTexts
  return (
    <ChoiceList
      label={words.types}
      options={SPACE_TYPES.map((value) => ({ value, label: words.typeNames[value] }))}
      chosen={wish.types}
      onChange={(types) => onChange({ types })}
    />
  )
}

/** The content of each request. */
export function PayloadField({ wish, onChange }: WebhookFieldProps) {
  const words = createWebhookTexts
  return (
    <SelectField
      label={words.payload}
      hint={words.payloadHints[wish.payload]}
      value={wish.payload}
      options={words.payloads}
      onChange={(payload) => onChange({ payload })}
    />
  )
}
