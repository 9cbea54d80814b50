import cluster from 'node:cluster'
import { createServer, type Server } from 'node:http'
import type { Services } from '@collab-spaces/api'
import {
  type Aggregator,
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client'
import { DatabaseProbe } from './database-probe.js'
import { diskOf } from './disk-watch.js'
import { isServedHost } from './http/host.js'
import { version } from './version.js'

export type Metrics = ReturnType<typeof createMetrics>

/** The parts of the server that are measured. */
export interface MetricSources {
  readonly services: Services
  /** The data directory of the embedded PostgreSQL; undefined for an external one. */
  readonly directory: string | undefined
  /** The allowed host names of the metrics port, besides loopback names and IP addresses. */
  readonly hosts: readonly string[]
  /** The webhook queue and requests in flight; null without webhooks. */
  deliveries(): { readonly waiting: number; readonly sending: number } | null
}

/** A completed request. */
interface CompletedRequest {
  readonly operation: string
  readonly status: number
  /** Whether it was a stream or a long poll. */
  readonly isLasting: boolean
}

/** Gauges that the library misnames as totals. They only sum others. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/**
 * Metrics for Prometheus. Labels are own names, never paths or input of callers. Figures kept elsewhere are collected at each
 * read.
 */
export function createMetrics(measured: MetricSources) {
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
    aggregator: 'first',
    registers,
  }).set({ version }, 1)
  watchServices(measured, registers)
  watchDatabase(measured, registers)
  if (cluster.isWorker) AggregatorRegistry.setRegistries(registry)
  return {
    /** Counts a completed request. */
    count: ({ operation, status, isLasting }: CompletedRequest, ms: number): void => {
      const durations = isLasting && status < 400 ? lasting : requests
      durations.observe({ operation, status }, ms / 1_000)
    },
    /** Counts an attempt to deliver to a webhook. */
    countAttempt: (isDelivered: boolean, ms: number): void =>
      attempts.observe({ outcome: isDelivered ? 'delivered' : 'failed' }, ms / 1_000),
    /** Serves `/metrics` on a dedicated port, which API clients cannot reach. */
    server: serverOf(registry.contentType, () => registry.metrics(), measured.hosts),
  }
}

/** Sends the metrics of this worker when the primary process requests them; none before `createMetrics`. */
export function answerScrapes(): void {
  new AggregatorRegistry()
}

/** Serves the metrics of all workers together: sums, but for the figures of the database. */
export function createClusterMetrics(hosts: readonly string[]): Server {
  const registry = new AggregatorRegistry()
  return serverOf(registry.contentType, () => registry.clusterMetrics(), hosts)
}

/** A figure, or one per value of a label; nothing if unknown. */
type Figures = number | null | undefined | Iterable<readonly [value: string, figure: number]>

/** Returns a function that registers metrics whose figures are collected at each read. */
const taken =
  (Kind: typeof Counter<string> | typeof Gauge<string>, registers: Registry[], aggregator: Aggregator = 'sum') =>
  (name: string, help: string, read: () => Figures | Promise<Figures>, label = '') =>
    new Kind({
      name,
      help,
      labelNames: label === '' ? [] : [label],
      registers,
      aggregator,
      async collect(this: Pick<Gauge, 'reset' | 'remove' | 'inc'>) {
        const figures = await read()
        this.reset()
        if (typeof figures === 'number') this.inc(figures)
        else if (figures) for (const [value, figure] of figures) this.inc({ [label]: value }, figure)
        // Without labels, the library leaves a zero.
        else if (label === '') this.remove()
      },
    })

/** Registers the metrics of this process. */
function watchServices({ services, deliveries }: MetricSources, registers: Registry[]): void {
  const { gate, tally, revocations, longPolls, database, isDiskLow } = services
  const counter = taken(Counter, registers)
  const gauge = taken(Gauge, registers)
  const ofGate = (figure: 'width' | 'used' | 'waiting' | 'refused') =>
    gate.use().map(([kind, use]) => [kind, use[figure]] as const)
  const connections = () => {
    const { open, idle, waiting } = database.poolUse()
    return Object.entries({ busy: open - idle, idle, waiting })
  }
  counter(
    'spaces_events_appended_total',
    'Events written, by whether a human or an agent posted them',
    () => Object.entries(tally.events),
    'poster',
  )
  counter(
    'spaces_append_groups_total',
    'Commits that wrote events; those that arrive together share one',
    () => tally.groups,
  )
  counter('spaces_refusals_total', 'Refused calls by kind of error or shortage', () => tally.refusals, 'reason')
  gauge('spaces_gate_slots', 'Slots for work of a kind', () => ofGate('width'), 'kind')
  gauge('spaces_gate_slots_used', 'Slots that are taken', () => ofGate('used'), 'kind')
  gauge('spaces_gate_waiting', 'Work waiting for a slot', () => ofGate('waiting'), 'kind')
  counter('spaces_gate_refusals_total', 'Work that got no slot in time', () => ofGate('refused'), 'kind')
  gauge('spaces_streams', 'Open live streams', () => revocations.streams)
  gauge('spaces_waits', 'Waiting long polls', () => longPolls.waiting)
  gauge(
    'spaces_webhook_deliveries',
    'Webhooks of this server by state: those that wait for their turn, and requests under way',
    () => Object.entries(deliveries() ?? {}),
    'state',
  )
  gauge(
    'spaces_database_connections',
    'Connections of the pool by state, and requests waiting for one',
    connections,
    'state',
  )
  const state = taken(Gauge, registers, 'max')
  state('spaces_writes_refused', '1 while the disk is almost full and new writes are refused for it, otherwise 0', () =>
    Number(isDiskLow()),
  )
}

/** Registers the metrics of the database and its disk, the same on all instances. Unknown values are missing. */
function watchDatabase({ services, directory }: MetricSources, registers: Registry[]): void {
  const probe = new DatabaseProbe(services.database.vitals)
  const vitals = async () => (await probe.state()).vitals
  const gauge = taken(Gauge, registers, 'first')
  const seconds = (time: Date | null | undefined) => time && time.getTime() / 1_000
  gauge('spaces_database_up', '1 if the database answered when it was last asked, otherwise 0', async () =>
    Number((await probe.state()).isUp),
  )
  gauge('spaces_database_size_bytes', 'Size of the database on its disk', async () => (await vitals())?.bytes)
  gauge('spaces_last_backup_timestamp_seconds', 'When operate backup last made a backup', async () =>
    seconds((await vitals())?.backedUpAt),
  )
  gauge(
    'spaces_webhook_failing_deliveries',
    'Spaces of webhooks whose last attempt failed and will be repeated, of all servers; 10,000 at most',
    async () => (await vitals())?.failing,
  )
  gauge('spaces_webhook_failing_since_timestamp_seconds', 'Since when the oldest of these fails', async () =>
    seconds((await vitals())?.failingSince),
  )
  const disk = async () => (directory === undefined ? null : diskOf(directory))
  gauge(
    'spaces_disk_free_bytes',
    'What PostgreSQL may still use of the disk of DATA_DIR',
    async () => (await disk())?.free,
  )
  gauge('spaces_disk_size_bytes', 'Size of the disk of DATA_DIR', async () => (await disk())?.size)
}

function serverOf(contentType: string, metrics: () => Promise<string>, hosts: readonly string[]): Server {
  return createServer(async (request, response) => {
    // Against DNS rebinding, as the metrics need no credential.
    if (!isServedHost(request.headers.host, hosts)) {
      response.writeHead(421).end()
      return
    }
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    await metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': contentType }).end(text),
      // A worker has ended, or is too busy.
      ({ message }: Error) => response.writeHead(503).end(`${message}\n`),
    )
  })
}
