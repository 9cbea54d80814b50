import { type AuditDetails, auditedUrl, type JsonObject } from '@collab-spaces/domain'
import type { WebhookStart } from './cursor.js'
import type { WebhookRecord } from './record.js'

/** The fields of a webhook in the security log: the destination, and the extent of the content. */
export type AuditedWebhook = Pick<WebhookRecord, 'url' | 'types' | 'payload' | 'spaceId' | 'inboxOf'>

export const auditedWebhook = ({ url, types, payload, spaceId, inboxOf }: AuditedWebhook): JsonObject => ({
  url: auditedUrl(url),
  types: [...types],
  payload,
  space_id: spaceId,
  inbox_of: inboxOf,
})

/** The changed fields, before and after. Two URLs that differ only in their query look the same. */
export function auditedChange(
  webhook: AuditedWebhook & Pick<WebhookRecord, 'disabledAt'>,
  change: { readonly [Field in 'url' | 'types' | 'payload']?: AuditedWebhook[Field] | undefined } & {
    readonly disabled?: object | null | undefined
  },
): AuditDetails {
  const { url = webhook.url, types = webhook.types, payload = webhook.payload, disabled } = change
  const isDisabled = webhook.disabledAt !== null
  const before = { ...auditedWebhook(webhook), disabled: isDisabled }
  const after = {
    ...auditedWebhook({ ...webhook, url, types, payload }),
    disabled: disabled === undefined ? isDisabled : disabled !== null,
  }
  const stays = (field: string) =>
    field === 'url'
      ? url === webhook.url
      : JSON.stringify(before[field as keyof typeof before]) === JSON.stringify(after[field as keyof typeof after])
  const without = (values: JsonObject) => Object.fromEntries(Object.entries(values).filter(([field]) => !stays(field)))
  return { before: without(before), after: without(after) }
}

/** The start of a redelivery. */
export const auditedStart = (start: WebhookStart): AuditDetails => ({
  since: typeof start === 'string' ? start : start.after,
})
