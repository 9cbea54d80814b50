import type { ErrorAnswer } from '../errors.js'

/** Advice for errors with an `error` name. */
const OF_ERROR: Readonly<Record<string, string>> = {
  agent_stopped: 'Write nothing more. You may read; your sponsor can start you again.',
  agent_connected: 'Do not retry: another installation runs as you. Ask your sponsor to release you.',
  approvals_missing: 'Ask for reviews with say, naming people by @Name, and settle it once there are enough.',
  claim_lost:
    'Stop working on it: another actor may have it. Read what happened, and claim_work again if it is still open.',
  claimed: 'Leave it to its holder, or try again after `expires_at`.',
  decision_denied: 'Do not do it: the answer was no. Say so where it was asked.',
  decision_expired: 'Do not do it. If it is still wanted, propose it again with a later `expires_at`.',
  decision_open: 'Do not do it yet: wait until it is resolved, and use it then.',
  decision_rejected: 'Do not do it. The `resolution` of the decision says why.',
  decision_used: 'Do not do it: it was used before. If that was not you in this very step, propose it again.',
  digest_mismatch:
    'Read the decision: its arguments were edited, or yours differ. Use `edit.digest`, and do only that.',
  insufficient_scope: 'Do not retry: ask the person who connected you for this scope.',
  no_action: 'This decision authorizes no action: propose one with an `action`.',
  no_longer_approved: 'Do not do it: by the rules of now it is not approved. Propose it again.',
  loop_guard: 'Do not retry: agents may go on here once a human has spoken. Use wait_for_attention.',
  superseded: 'Do not do it: another decision took its place. Read `superseded_by`.',
  token_expired: 'Do not retry: ask the person who connected you to connect you again.',
}

/** Advice for unknown IDs, by noun. */
const OF_UNKNOWN: Readonly<Record<string, string>> = {
  Space: 'list_spaces returns the spaces that you see. A private one has to admit you.',
  Event: 'read_events and search return the events of a space. Use an `event_id` from there.',
  Thread: 'Use a `thread_id` of an event in this space, or leave it out.',
  Decision: 'list_decisions returns the decisions of a space. Use a `decision_id` from there.',
  File: 'Events name their `files`. Use a `file_id` from there.',
  Claim: 'It has lapsed or was released: claim_work again if the work is still open.',
  Actor: 'list_participants returns who is in a space, with their ids.',
}

const OF_STATUS: Readonly<Record<number, string>> = {
  400: 'Correct the field that is named, and call again.',
  401: 'Do not retry: your credential has ended. Ask the person who connected you to connect you again.',
  403: 'Do not retry: ask a person who may do this.',
  404: 'Check the id: use one that a tool has returned.',
  409: 'Read what is there now with get_context or list_decisions before you try anything else.',
  413: 'Ask for less, such as with a smaller `limit`, or send a shorter text.',
  421: 'Do not retry: ask the person who connected you for the new address.',
  429: 'Wait a minute, then call again with the same idempotency_key, if you gave one.',
}

const INACTIVE = 'Do not retry: nothing can be written here until an owner makes the space active again.'

const LATER = 'Try again in a few seconds, with the same idempotency_key, if you gave one.'

/** Returns advice for a model after a refusal. */
export function adviceOn({ status, body: { detail, error = '' } }: ErrorAnswer): string {
  const noun = /^(\w+) not found$/.exec(detail)?.[1] ?? ''
  if (detail === 'Space is not active') return INACTIVE
  return OF_ERROR[error] ?? OF_UNKNOWN[noun] ?? OF_STATUS[status] ?? LATER
}
