import type { Receipt } from '@collab-spaces/client'
import { momentIn } from '../../shared/time'
import { detailsTexts } from './texts'

/** Returns the state of a receipt with its reason, progress or time. */
export function stateInWords(receipt: Receipt): string {
  const { receiptStates, doneSilently } = detailsTexts
  const { state, done } = receipt
  if (state === 'seen' && done) return doneSilently
  const more = moreOf(receipt)
  return more === null ? receiptStates[state] : `${receiptStates[state]} (${more})`
}

function moreOf({ state, claim, last_seen_at, reason }: Receipt): string | null {
  if (state === 'working') return claim?.progress ?? null
  if (state === 'unreachable') return last_seen_at && detailsTexts.lastSeen(momentIn(last_seen_at, Date.now()))
  return reason
}
