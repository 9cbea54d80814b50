import { createServer, type Server } from 'node:http'
import type { Services } from '@collab-spaces/api'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { isOwnHost } from './http/host.js'

export type Metrics = ReturnType<typeof createMetrics>

/** Counts for Prometheus. Labels are operations and statuses, never paths or anything a caller sent. */
export function createMetrics(services: Services) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'spaces_request_duration_seconds',
    help: 'Duration of requests by operation and status; a stream lasts until its reader leaves, a wait until something comes',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const attempts = new Histogram({
    name: 'spaces_webhook_attempt_duration_seconds',
    help: 'Duration of attempts to deliver to webhooks by their outcome, delivered or failed',
    labelNames: ['outcome'] as const,
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'spaces_streams',
    help: 'Open live streams',
    registers: [registry],
    collect() {
      this.set(services.revocations.streams)
    },
  })
  new Gauge({
    name: 'spaces_waits',
    help: 'Requests that wait for something to come',
    registers: [registry],
    collect() {
      this.set(services.waits.waiting)
    },
  })
  new Gauge({
    name: 'spaces_database_connections',
    help: 'Connections of the pool by state, and requests waiting for one',
    labelNames: ['state'] as const,
    registers: [registry],
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
    registers: [registry],
    collect() {
      this.set(services.isDiskLow() ? 1 : 0)
    },
  })
  return {
    /** Counts a completed request by its operation and status. */
    count: (operation: string, status: number, ms: number): void => requests.observe({ operation, status }, ms / 1_000),
    /** Counts an attempt to deliver to a webhook. */
    countAttempt: (isDelivered: boolean, ms: number): void =>
      attempts.observe({ outcome: isDelivered ? 'delivered' : 'failed' }, ms / 1_000),
    /** Serves `/metrics`. It listens on a port of its own, so callers of the API can never reach it. */
    server: serverOf(registry),
  }
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
