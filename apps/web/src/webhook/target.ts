import type { Webhook } from '../query/webhook'
import { texts } from '../texts'

interface Naming {
  readonly nameOf: (actorId: string) => string
  readonly spaceNameOf: (spaceId: string) => string
  /** The actor who looks. */
  readonly me: string
}

/** The subject of a webhook, in words. */
export function targetOf({ space_id, inbox_of }: Webhook, { nameOf, spaceNameOf, me }: Naming): string {
  const { target } = texts.webhooks
  if (space_id !== null) return target.space(spaceNameOf(space_id))
  return inbox_of === me ? target.ownInbox : target.inbox(nameOf(inbox_of ?? ''))
}
