import type { Client, Inbox } from '@collab-spaces/client'
import type { DelegatedClaim } from './delegated-claims.js'
import { HeldClaims } from './held-claims.js'

/** The part of an inbox that is handed to a command, with claims on its events. What cannot be claimed is left out. */
export async function claimedBatch(client: Client, inbox: Inbox) {
  const events = inbox.items.map(({ space_id, event: { event_id } }) => ({ space_id, event_id }))
  const claims = await HeldClaims.take(client, events)
  const taken = new Map(claims.taken.map(({ event_id, claim }) => [event_id, claim]))
  const items = inbox.items
    .filter(({ event }) => taken.has(event.event_id))
    .map((item) => ({ ...item, claim: taken.get(item.event.event_id) ?? item.claim }))
  const last = new Map(items.map(({ space_id, event }) => [space_id, event.event_id]))
  const through = [...last].map(([space_id, event_id]) => ({ space_id, event_id }))
  const handed: DelegatedClaim[] = claims.taken.flatMap(({ space_id, event_id, claim }) =>
    claim ? { space_id, event_id, claim_id: claim.claim_id, fence: claim.fence } : [],
  )
  return { batch: { ...inbox, items, done: { ...inbox.done, through } }, claims, handed }
}
