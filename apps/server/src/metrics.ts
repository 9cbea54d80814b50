import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { Services } from '@collab-spaces/api'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { DatabaseProbe } from './database-probe.js'
import { diskOf } from './disk-watch.js'
import { isOwnHost } from './http/host.js'

export type Metrics = ReturnType<typeof createMetrics>

/** The parts of the server that are measured. */
export interface Measured {
  readonly services: Services
  /** Where the embedded PostgreSQL has its data; undefined if it is another machine's. */
  readonly directory: string | undefined
  /** Webhooks that wait for their turn, and requests to them; null if this server sends none. */
  deliveries(): { readonly waiting: number; readonly sending: number } | null
}

/** A request that is over. */
interface Counted {
  readonly operation: string
  readonly status: number
  /** Whether it was a stream, or could wait for something to happen. */
  readonly isLasting: boolean
}

const { version } = createRequire(import.meta.url)('../package.json') as { readonly version: string }

/** Gauges that the library calls totals, which is a counter's name. They are the sums of those that it has by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/**
 * Figures for Prometheus. Labels are names of ours, never paths or anything a caller sent. What is counted elsewhere is
 * taken from there when somebody asks.
 */
export function createMetrics(measured: Measured) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const registers = [registry]
  const requests = new Histogram({
    name: 'spaces_request_duration_seconds',
    help: 'Duration of requests by operation and status, but for streams and waits that ended well',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const lasting = new Histogram({
    name: 'spaces_lasting_request_duration_seconds',
    help: 'Duration of streams, which last until their reader leaves, and of waits, which last until something comes',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.1, 1, 10, 60, 600, 3_600],
    registers,
  })
  const attempts = new Histogram({
    name: 'spaces_webhook_attempt_duration_seconds',
    help: 'Duration of attempts to deliver to webhooks by their outcome, delivered or failed',
    labelNames: ['outcome'] as const,
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  new Gauge({
    name: 'spaces_build_info',
    help: 'Always 1; the version is a label',
    labelNames: ['version'] as const,
    registers,
  }).set({ version }, 1)
  watchServices(measured, registers)
  watchDatabase(measured, registers)
  return {
    /** Counts a completed request. */
    count: ({ operation, status, isLasting }: Counted, ms: number): void => {
      const durations = isLasting && status < 400 ? lasting : requests
      durations.observe({ operation, status }, ms / 1_000)
    },
    /** Counts an attempt to deliver to a webhook. */
    countAttempt: (isDelivered: boolean, ms: number): void =>
      attempts.observe({ outcome: isDelivered ? 'delivered' : 'failed' }, ms / 1_000),
    /** Serves `/metrics`. It listens on a port of its own, so callers of the API can never reach it. */
    server: serverOf(registry),
  }
}

/** The metrics that this process knows by itself. */
function watchServices({ services, deliveries }: Measured, registers: Registry[]): void {
  const { gate, tally } = services
  new Counter({
    name: 'spaces_events_appended_total',
    help: 'Events written, by whether a human or an agent posted them',
    labelNames: ['poster'] as const,
    registers,
    collect() {
      this.reset()
      for (const [poster, count] of Object.entries(tally.events)) this.inc({ poster }, count)
    },
  })
  new Counter({
    name: 'spaces_append_groups_total',
    help: 'Commits that wrote events; those that arrive together share one',
    registers,
    collect() {
      this.reset()
      this.inc(tally.groups)
    },
  })
  new Counter({
    name: 'spaces_refusals_total',
    help: 'Calls that were refused, by the kind of error or by what there was too little of',
    labelNames: ['reason'] as const,
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of tally.refusals) this.inc({ reason }, count)
    },
  })
  new Gauge({
    name: 'spaces_gate_slots',
    help: 'Slots for work of a kind',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      for (const [kind, { width }] of gate.use()) this.set({ kind }, width)
    },
  })
  new Gauge({
    name: 'spaces_gate_slots_used',
    help: 'Slots that are taken',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      for (const [kind, { used }] of gate.use()) this.set({ kind }, used)
    },
  })
  new Gauge({
    name: 'spaces_gate_waiting',
    help: 'Work that waits for a slot',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      for (const [kind, { waiting }] of gate.use()) this.set({ kind }, waiting)
    },
  })
  new Counter({
    name: 'spaces_gate_refusals_total',
    help: 'Work that got no slot in time',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      this.reset()
      for (const [kind, { refused }] of gate.use()) this.inc({ kind }, refused)
    },
  })
  new Gauge({
    name: 'spaces_streams',
    help: 'Open live streams',
    registers,
    collect() {
      this.set(services.revocations.streams)
    },
  })
  new Gauge({
    name: 'spaces_waits',
    help: 'Requests that wait for something to come',
    registers,
    collect() {
      this.set(services.waits.waiting)
    },
  })
  new Gauge({
    name: 'spaces_webhook_deliveries',
    help: 'Webhooks of this server by state: those that wait for their turn, and requests under way',
    labelNames: ['state'] as const,
    registers,
    collect() {
      for (const [state, count] of Object.entries(deliveries() ?? {})) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'spaces_database_connections',
    help: 'Connections of the pool by state, and requests waiting for one',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { open, idle, waiting } = services.database.poolUse()
      this.set({ state: 'busy' }, open - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  new Gauge({
    name: 'spaces_writes_refused',
    help: '1 while the disk is almost full and new writes are refused for it, otherwise 0',
    registers,
    collect() {
      this.set(services.isDiskLow() ? 1 : 0)
    },
  })
}

/** What the database and its disk say, which is the same on all servers. What they do not say is missing. */
function watchDatabase({ services, directory }: Measured, registers: Registry[]): void {
  const look = new DatabaseProbe(services.database.vitals)
  const gauge = (name: string, help: string, read: () => Promise<number | null | undefined>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await read()
        if (value === null || value === undefined) this.remove()
        else this.set(value)
      },
    })
  const seconds = (time: Date | null | undefined) => time && time.getTime() / 1_000
  gauge('spaces_database_up', '1 if the database answered when it was last asked, otherwise 0', async () =>
    Number(await look.isUp()),
  )
  gauge('spaces_database_size_bytes', 'Size of the database on its disk', async () => (await look.vitals())?.bytes)
  gauge('spaces_last_backup_timestamp_seconds', 'When operate backup last made a backup', async () =>
    seconds((await look.vitals())?.backedUpAt),
  )
  gauge(
    'spaces_webhook_failing_deliveries',
    'Spaces of webhooks whose last attempt failed and will be repeated, of all servers; 10,000 at most',
    async () => (await look.vitals())?.failing,
  )
  gauge('spaces_webhook_failing_since_timestamp_seconds', 'Since when the oldest of these fails', async () =>
    seconds((await look.vitals())?.failingSince),
  )
  const disk = async () => (directory === undefined ? null : diskOf(directory))
  gauge(
    'spaces_disk_free_bytes',
    'What PostgreSQL may still use of the disk of DATA_DIR',
    async () => (await disk())?.free,
  )
  gauge('spaces_disk_size_bytes', 'Size of the disk of DATA_DIR', async () => (await disk())?.size)
}

function serverOf(registry: Registry): Server {
  return createServer(async (request, response) => {
    // A page whose name was pointed at this machine must not read what only this machine may.
    if (!isOwnHost(request.headers.host)) {
      response.writeHead(421).end()
      return
    }
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'Content-Type': registry.contentType }).end(await registry.metrics())
  })
}
