import type { CommittedEvent } from '@collab-spaces/db'
import { RetryLater, SHORTAGES } from '@collab-spaces/domain'
import { ERROR_KINDS, refusalOf } from './procedure/fault.js'

const FAULT = 'fault'

/** Counters of the commits and refusals of this server since its start, for the operator. */
export class Tally {
  /** Commits that wrote events; concurrent events share one. */
  groups = 0
  readonly events = { human: 0, agent: 0 }
  /** Refused calls by cause: the kind of the error, the shortage, or `fault` for an internal fault. */
  readonly refusals = new Map<string, number>([...ERROR_KINDS, ...SHORTAGES, FAULT].map((reason) => [reason, 0]))

  written(committed: readonly CommittedEvent[]): void {
    if (committed.length > 0) this.groups++
    for (const { byAgent } of committed) this.events[byAgent ? 'agent' : 'human']++
  }

  refused(error: unknown): void {
    const reason = reasonOf(error)
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1)
  }
}

function reasonOf(error: unknown): string {
  const refusal = refusalOf(error)
  if (!refusal) return FAULT
  return (refusal instanceof RetryLater && refusal.shortage) || refusal.kind
}
