import type { WebhookDraft } from '../query/webhook'

export const SPACE_TYPES = ['events.appended', 'decision.changed'] as const
export const PAYLOADS = ['thin', 'full'] as const
export const STARTS = ['now', 'beginning'] as const

/** What somebody has chosen so far. */
export interface WebhookWish {
  readonly url: string
  readonly about: 'space' | 'inbox'
  /** Empty until one is chosen. */
  readonly spaceId: string
  readonly actorId: string
  readonly types: readonly (typeof SPACE_TYPES)[number][]
  readonly payload: (typeof PAYLOADS)[number]
  readonly from: (typeof STARTS)[number]
}

export const FIRST_WISH: WebhookWish = {
  url: '',
  about: 'space',
  spaceId: '',
  actorId: '',
  types: SPACE_TYPES,
  payload: 'thin',
  from: 'now',
}

/** The same as the service takes it. An inbox has only one type. */
export function draftOf({ url, about, spaceId, actorId, types, payload, from }: WebhookWish): WebhookDraft {
  const rest = { url: url.trim(), payload, from }
  return about === 'space' ? { ...rest, space_id: spaceId, types: [...types] } : { ...rest, inbox_of: actorId }
}
