import type { Receipt } from '@collab-spaces/client'
import { texts } from '../texts'

/** Where an event stands with somebody, with what they said about it. */
export function stateInWords({ state, done, reason, claim }: Receipt): string {
  const { receiptStates, doneSilently } = texts.details
  if (state === 'seen' && done) return doneSilently
  const more = state === 'working' ? (claim?.progress ?? null) : reason
  return more === null ? receiptStates[state] : `${receiptStates[state]} (${more})`
}
