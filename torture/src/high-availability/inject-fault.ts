import { checkLog } from '../checker/check-log.js'
import { readLog } from '../checker/stored.js'
import { Load, type LoadOptions } from '../load/load.js'
import type { Trial } from '../trial.js'
import type { Example } from './example.js'
import { type Fault, loseReplication } from './faults.js'

/** So many writes show that the service goes on. */
const ENOUGH = 20
const RECOVERY_TIMEOUT_MS = 90_000
/** With DATABASE_TIMEOUT=1, a second for its turn and 1.4 for a commit that hangs, and what is left for the way. */
const ANSWER_TIMEOUT_MS = 2_500

/** Writers and readers that come through the balancer. Those that repeat themselves, and those that do not. */
export const loadOn = (example: Example, trial: Trial, options: Partial<LoadOptions> = {}) =>
  Load.start(trial, { urls: [example.url], manners: ['again', 'again', 'once'], ...options })

export interface Suffered {
  /** The longest time without an acknowledged write, in milliseconds. */
  readonly outageMs: number
  /** The longest wait for an answer. */
  readonly slowestMs: number
}

/** Does something to the example under load, and waits until all of it is there again. */
export async function injectFault(example: Example, load: Load, fault: Fault, trial: Trial): Promise<Suffered> {
  await example.whole()
  await load.more(ENOUGH)
  const servers = example.servers
  const begun = performance.now()
  load.forgetSlowest()
  await fault.inject(example)
  await load.more(ENOUGH, RECOVERY_TIMEOUT_MS)
  await example.whole()
  const suffered = { outageMs: Math.round(load.longestOutage(begun)), slowestMs: Math.round(load.slowestAnswer) }
  trial.requireWithin(fault.backWithinMs, suffered.outageMs, `${fault.name}: no write for`)
  if (!fault.endsServers) {
    trial.requireWithin(ANSWER_TIMEOUT_MS, suffered.slowestMs, `${fault.name}: the slowest answer took`)
    trial.require(String(example.servers) === String(servers), `${fault.name}: a server has ended`)
  }
  return suffered
}

const ASYNCHRONOUS = {
  synchronous_mode: false,
  synchronous_mode_strict: false,
  // Any standby that is there may become primary.
  maximum_lag_on_failover: 1_000_000_000,
}

/** The losses where commits wait for no standby. The cluster is of no use for anything else afterwards. */
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

/** As the checker says that something is gone. */
export const isLoss = (violation: string) => violation.includes('acknowledged and not stored')
