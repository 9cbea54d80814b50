import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { listen } from '../listen.js'
import { type Running, STOP_TIMEOUT_MS } from '../serve.js'
import type { Settings } from '../settings.js'
import { ownNames } from '../settings.js'
import type { Storage } from '../storage.js'
import type { Assignment, Report } from './assignment.js'

/** Occasional crashes are tolerated. Repeated crashes have a cause that a new worker does not remove. */
const MAX_CRASHES = 10
const CRASH_WINDOW_MS = 60_000
/** Timeout of the workers' stop after the drain. PostgreSQL gets what they leave of the whole. */
const WORKERS_STOP_TIMEOUT_MS = 8_000

type Ready = Extract<Report, { kind: 'ready' }>

/** Starts workers that share the port, and one metrics server for all. Rejects, with none left, if one cannot start. */
export async function startWorkers(
  settings: Settings,
  log: Logger,
  storage: Storage,
  { signal, onLost }: { readonly signal: AbortSignal; readonly onLost: (error: Error) => void },
): Promise<Running> {
  // Workers accept connections themselves. In turns, the primary process would hand them over, and a worker that is
  // killed meanwhile leaves its next connection open without an answer.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const workers = new Workers(storage, log, onLost)
  let metrics: Server | null = null
  const stop = async () => {
    const deadline = performance.now() + settings.drainMs + STOP_TIMEOUT_MS
    await workers.stop(settings.drainMs + WORKERS_STOP_TIMEOUT_MS)
    metrics?.close()
    await storage.stop(deadline - performance.now())
  }
  let stopped: Promise<void> | undefined
  try {
    // The first one creates the server key, and logs what concerns all.
    const { url, hasPage } = await workers.fork({ isReplica: false }, signal)
    await Promise.all(Array.from({ length: settings.workers - 1 }, () => workers.fork({ isReplica: true }, signal)))
    metrics = await metricsOf(settings)
    return {
      url,
      hasPage,
      data: storage.data,
      stop: () => {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    await workers.stop(WORKERS_STOP_TIMEOUT_MS)
    throw error
  }
}

/** Serves the sums of the workers' metrics. Null without a port. */
async function metricsOf(settings: Settings): Promise<Server | null> {
  const { metricsPort, metricsHost } = settings
  if (metricsPort === undefined) return null
  const { createClusterMetrics } = await import('../metrics.js')
  const server = createClusterMetrics(ownNames({ ...settings, host: metricsHost }))
  await listen(server, metricsPort, metricsHost)
  return server
}

/** Keeps the workers running until `stop`. */
class Workers {
  #crashes: number[] = []
  #isStopping = false

  constructor(
    private readonly storage: Storage,
    private readonly log: Logger,
    private readonly onLost: (error: Error) => void,
  ) {}

  /** Starts a worker; resolves when it serves. From then on, it is replaced when it ends. */
  async fork({ isReplica }: Pick<Assignment, 'isReplica'>, signal?: AbortSignal): Promise<Ready> {
    signal?.throwIfAborted()
    const worker = cluster.fork()
    const ended = new Promise<number | string>((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal ?? code))
    })
    const { connection, data, directory } = this.storage
    const assignment = { connection, data, ...(directory !== undefined && { directory }), isReplica }
    const ready = await Promise.race([
      assign(worker, assignment),
      ended.then((how) => Promise.reject(new Error(`A worker ended at its start (${how})`))),
    ])
    void ended.then((how) => this.#replace(how, worker))
    return ready
  }

  /** Ends all workers: they finish their requests, and are killed at the timeout. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const ended = Promise.all(workers.map((worker) => once(worker, 'exit')))
    for (const { process } of workers) process.kill('SIGTERM')
    await Promise.race([ended, delay(timeoutMs, undefined, { ref: false })])
    for (const { process } of workers) process.kill('SIGKILL')
    await ended
  }

  async #replace(how: string | number, ended?: Worker): Promise<void> {
    if (this.#isStopping) return
    const now = performance.now()
    this.#crashes = [...this.#crashes.filter((time) => now - time < CRASH_WINDOW_MS), now]
    const times = this.#crashes.length
    this.log.error({ workerPid: ended?.process.pid, how, times }, 'a worker ended unexpectedly; starting another')
    if (times >= MAX_CRASHES) {
      return this.onLost(new Error(`Workers ended unexpectedly ${MAX_CRASHES} times within a minute`))
    }
    if (times > 1) await delay(50 * 2 ** times)
    // Nothing would stop a worker that starts after the others were told to end.
    if (!this.#isStopping) await this.fork({ isReplica: true }).catch(({ message }: Error) => this.#replace(message))
  }
}

/** Resolves when a worker serves; rejects when it reports why it cannot. */
function assign(worker: Worker, assignment: Assignment): Promise<Ready> {
  return new Promise((resolve, reject) => {
    // A message to a worker that is ending fails.
    worker.on('error', reject)
    // Its metrics are messages, too.
    worker.on('message', (report: Report) => {
      if (report.kind === 'waiting') worker.send(assignment)
      if (report.kind === 'ready') resolve(report)
      if (report.kind === 'failed') reject(new Error(report.message))
    })
  })
}
