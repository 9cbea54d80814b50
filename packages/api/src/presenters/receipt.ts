import type { ReceiptRecord, Receipts } from '@collab-spaces/db'
import { isSettledReceipt, receiptOf, shownLastSeen } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Caller } from '../procedure/credential.js'
import type { EventReceipts, Receipt } from '../schemas/receipt.js'

export const presentReceipts = ({ records, now }: Receipts, caller: Caller): z.infer<typeof Receipt>[] =>
  records.map((record) => presentReceipt(record, now, caller))

export const presentEventReceipts = (found: Receipts, caller: Caller): z.infer<typeof EventReceipts> => ({
  event_id: found.eventId,
  receipts: presentReceipts(found, caller),
})

function presentReceipt(record: ReceiptRecord, now: Date, caller: Caller): z.infer<typeof Receipt> {
  const { actorId, name, claim, done, lastSeenAt } = record
  const { state, since, byEventId, reason } = receiptOf(record, now)
  return {
    actor_id: actorId,
    name,
    state,
    since: since?.toISOString() ?? null,
    by_event_id: byEventId,
    claim: claim && { claim_id: claim.claimId, expires_at: claim.expiresAt.toISOString(), progress: claim.progress },
    done: done !== null,
    reason,
    last_seen_at: shownLastSeen(caller, record, lastSeenAt)?.toISOString() ?? null,
  }
}

/** Whether a recipient may still answer. */
export const isAwaited = ({ records, now }: Receipts): boolean =>
  records.some((record) => !isSettledReceipt(receiptOf(record, now), record))
