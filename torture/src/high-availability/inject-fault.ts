import { checkLog } from '../checker/check-log.js'
import { readLog } from '../checker/stored.js'
import { Load, type LoadOptions } from '../load/load.js'
import type { Trial } from '../trial.js'
import type { Example } from './example.js'
import { type Fault, loseReplication } from './faults.js'

/** This many writes show that the service works. */
const ENOUGH = 20
const RECOVERY_TIMEOUT_MS = 90_000
/** With DATABASE_TIMEOUT=1: a second for its turn, 1.4 for a hanging commit, and the rest for the network. */
const ANSWER_TIMEOUT_MS = 2_500

/**
 * Writers and readers that connect through the balancer, with and without retries. A killed primary may show a commit that
 * still waits for the standby, and which is then lost.
 */
export const loadOn = (example: Example, trial: Trial, options: Partial<LoadOptions> = {}) =>
  Load.start(trial, {
    urls: [example.url],
    manners: ['again', 'again', 'once'],
    canLoseUnacknowledged: true,
    ...options,
  })

export interface FaultImpact {
  /** The longest time without an acknowledged write, in milliseconds. */
  readonly outageMs: number
  /** The longest response time, in milliseconds. */
  readonly slowestMs: number
}

/** Injects a fault into the example under load, and waits until it has recovered completely. */
export async function injectFault(example: Example, load: Load, fault: Fault, trial: Trial): Promise<FaultImpact> {
  await example.whole()
  await load.more(ENOUGH)
  const servers = example.servers
  const begun = performance.now()
  load.forgetSlowest()
  await fault.inject(example)
  await load.more(ENOUGH, RECOVERY_TIMEOUT_MS)
  await example.whole()
  const measured = { outageMs: Math.round(load.longestOutage(begun)), slowestMs: Math.round(load.slowestAnswer) }
  trial.requireWithin(fault.backWithinMs, measured.outageMs, `${fault.name}: no write for`)
  if (!fault.endsServers) {
    trial.requireWithin(ANSWER_TIMEOUT_MS, measured.slowestMs, `${fault.name}: the slowest answer took`)
    trial.require(String(example.servers) === String(servers), `${fault.name}: a server has ended`)
  }
  return measured
}

const ASYNCHRONOUS = {
  synchronous_mode: false,
  synchronous_mode_strict: false,
  // Any running standby may become primary.
  maximum_lag_on_failover: 1_000_000_000,
}

/** Returns the losses without synchronous replication. The cluster cannot be used afterwards. */
export async function injectFaultUnprotected(example: Example, trial: Trial, options?: Partial<LoadOptions>) {
  await example.configure(ASYNCHRONOUS)
  await example.whole({ isSynchronous: false })
  const load = await loadOn(example, trial, { ...options, prefix: 'unprotected-' })
  await load.more(ENOUGH)
  await loseReplication(example)
  await load.more(ENOUGH, RECOVERY_TIMEOUT_MS)
  const connection = await example.connection()
  const violations: string[] = []
  for (const space of load.spaces) {
    const { events, head } = await readLog(connection, space)
    violations.push(...checkLog(space, events, head, load.notes))
  }
  return violations
}

/** Returns whether a violation reports a loss. */
export const isLoss = (violation: string) => violation.includes('acknowledged and not stored')
