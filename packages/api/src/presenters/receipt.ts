import type { ReceiptRecord, Receipts } from '@collab-spaces/db'
import { canReadReceipt, isSettledReceipt, receiptOf, shownLastSeen } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Caller } from '../procedure/credential.js'
import type { EventReceipts, Receipt } from '../schemas/receipt.js'

/** Returns the receipts of an event that the caller may read. */
export const readableReceipts = (found: Receipts, caller: Caller): Receipts => ({
  ...found,
  records: found.records.filter((record) => canReadReceipt(caller, found, record)),
})

export const presentReceipts = (found: Receipts, caller: Caller): z.infer<typeof Receipt>[] =>
  readableReceipts(found, caller).records.map((record) => presentReceipt(record, found.now, caller))

export const presentEventReceipts = (found: Receipts, caller: Caller): z.infer<typeof EventReceipts> => ({
  event_id: found.eventId,
  receipts: presentReceipts(found, caller),
})

function presentReceipt(record: ReceiptRecord, now: Date, caller: Caller): z.infer<typeof Receipt> {
  const { actorId, actorType, name, lastSeenAt } = record
  const shownSeenAt = shownLastSeen(caller, record, lastSeenAt)
  const { state, since, byEventId, reason } = receiptOf(record, now, shownSeenAt)
  const isAgent = actorType === 'agent'
  const claim = isAgent ? record.claim : null
  return {
    actor_id: actorId,
    name,
    state,
    since: since?.toISOString() ?? null,
    by_event_id: byEventId,
    claim: claim && { claim_id: claim.claimId, expires_at: claim.expiresAt.toISOString(), progress: claim.progress },
    done: isAgent && record.done !== null,
    reason,
    last_seen_at: (isAgent && shownSeenAt?.toISOString()) || null,
  }
}

/** Whether a recipient may still answer. */
export const isAwaited = ({ records, now }: Receipts): boolean =>
  records.some((record) => !isSettledReceipt(receiptOf(record, now), record))
