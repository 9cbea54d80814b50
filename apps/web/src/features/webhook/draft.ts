import type { RouterInputs, Webhook } from '@collab-spaces/client'

export const SPACE_TYPES = ['events.appended', 'decision.changed'] as const

/** The editable settings of a webhook. */
export interface WebhookContent {
  readonly url: string
  /** For a space; an inbox has only one type. */
  readonly types: readonly (typeof SPACE_TYPES)[number][]
  readonly payload: 'thin' | 'full'
}

/** The state of the form. */
export interface WebhookDraft extends WebhookContent {
  readonly about: 'space' | 'inbox'
  /** Empty until selected. */
  readonly spaceId: string
  readonly actorId: string
  readonly from: 'now' | 'beginning'
}

export const INITIAL_DRAFT: WebhookDraft = {
  url: '',
  about: 'space',
  spaceId: '',
  actorId: '',
  types: SPACE_TYPES,
  payload: 'thin',
  from: 'now',
}

/** Returns the input that creates the webhook. */
export function webhookInput({
  url,
  about,
  spaceId,
  actorId,
  types,
  payload,
  from,
}: WebhookDraft): RouterInputs['webhook']['create'] {
  const rest = { url: url.trim(), payload, from }
  return about === 'space' ? { ...rest, space_id: spaceId, types: [...types] } : { ...rest, inbox_of: actorId }
}

type Sending = Pick<Webhook, 'url' | 'types' | 'payload'>

export const contentOf = ({ url, types, payload }: Sending): WebhookContent => ({
  url,
  types: SPACE_TYPES.filter((type) => types.includes(type)),
  payload,
})

/** Returns only the changed settings: setting a URL resets the failures. */
export function changeOf(
  webhook: Sending,
  draft: WebhookContent,
): Omit<RouterInputs['webhook']['change'], 'webhook_id'> {
  const before = contentOf(webhook)
  const url = draft.url.trim()
  const types = SPACE_TYPES.filter((type) => draft.types.includes(type))
  return {
    ...(url !== before.url && { url }),
    ...(types.join() !== before.types.join() && { types }),
    ...(draft.payload !== before.payload && { payload: draft.payload }),
  }
}
