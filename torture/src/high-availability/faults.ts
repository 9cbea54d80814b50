import { setTimeout as delay } from 'node:timers/promises'
import type { Example } from './example.js'

export interface Fault {
  readonly name: string
  /** Injects the fault, and reverts what does not recover by itself. */
  inject(example: Example): Promise<void>
  /** The maximum outage of writes, in milliseconds. */
  readonly backWithinMs: number
  /** Whether it also kills the servers. */
  readonly endsServers?: true
}

const UNPLANNED_MS = 10_000
const PLANNED_MS = 3_000
/** Long enough for a failover before it wakes. */
const FROZEN_MS = 9_000
/** The time in which no standby receives anything. */
const UNREPLICATED_MS = 1_500
/** Killed standbys are restarted after ten seconds; until then no commit has a second copy. */
const STANDBYS_MS = 20_000
const CUT_MS = 3_000
/** All processes are restarted after ten seconds, and have to find each other. */
const EVERYTHING_MS = 40_000

export const FAULTS: readonly Fault[] = [
  {
    name: 'the primary killed',
    inject: async (example) => signal(await example.processesOf(await example.primary()), 'SIGKILL'),
    backWithinMs: UNPLANNED_MS,
  },
  {
    name: 'the primary frozen, and woken after a failover',
    inject: async (example) => {
      const frozen = await example.processesOf(await example.primary())
      signal(frozen, 'SIGSTOP')
      await delay(FROZEN_MS)
      signal(frozen, 'SIGCONT')
    },
    backWithinMs: UNPLANNED_MS,
  },
  { name: 'a planned switch-over', inject: (example) => example.switchOver(), backWithinMs: PLANNED_MS },
  {
    name: 'the synchronous standby killed',
    inject: async (example) => signal(await example.processesOf(await example.synchronous()), 'SIGKILL'),
    backWithinMs: UNPLANNED_MS,
  },
  {
    name: 'both standbys killed',
    inject: async (example) => {
      const nodes = await Promise.all((await example.standbys()).map((node) => example.processesOf(node)))
      signal(nodes.flat(), 'SIGKILL')
    },
    backWithinMs: STANDBYS_MS,
  },
  {
    name: 'the connection to the database cut for three seconds',
    inject: async (example) => {
      const proxy = await example.proxy()
      signal(proxy, 'SIGSTOP')
      await delay(CUT_MS)
      signal(proxy, 'SIGCONT')
    },
    backWithinMs: CUT_MS + PLANNED_MS,
  },
  {
    name: 'all of etcd killed',
    // Writes continue.
    inject: async (example) => signal(example.etcd, 'SIGKILL'),
    backWithinMs: PLANNED_MS,
  },
  {
    name: 'the leader of etcd killed',
    inject: async (example) => signal([await example.etcdLeader()], 'SIGKILL'),
    backWithinMs: UNPLANNED_MS,
  },
  {
    name: 'the primary killed when no standby has its last writes',
    inject: loseReplication,
    backWithinMs: UNREPLICATED_MS + UNPLANNED_MS,
  },
  {
    name: 'everything killed at once',
    inject: async (example) => {
      const nodes = await Promise.all([1, 2, 3].map((node) => example.processesOf(node)))
      signal([...nodes.flat(), ...example.etcd, ...example.servers], 'SIGKILL')
    },
    backWithinMs: EVERYTHING_MS,
    endsServers: true,
  },
]

/**
 * With synchronous replication nothing is acknowledged during this time. With asynchronous replication, acknowledged
 * writes are lost.
 */
export async function loseReplication(example: Example): Promise<void> {
  const primary = await example.primary()
  const receivers = (await Promise.all((await example.standbys()).map((node) => example.receiverOf(node)))).flat()
  signal(receivers, 'SIGSTOP')
  await delay(UNREPLICATED_MS)
  signal(await example.processesOf(primary), 'SIGKILL')
  // They are killed before they receive pending data.
  signal(receivers, 'SIGTERM')
  signal(receivers, 'SIGCONT')
}

/** A process that has exited needs no signal. */
function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {}
  }
}
