import type { RequestListener } from 'node:http'
import type { Services } from '@collab-spaces/api'
import { invalid, unknown } from '@collab-spaces/domain'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics.js'
import { pageDoor } from './adapters/pages.js'
import { restDoor } from './adapters/rest.js'
import { trpcDoor } from './adapters/trpc.js'
import { refuse, reportTo } from './errors.js'
import { Exchange } from './exchange.js'
import { commonHeaders, preflightHeaders } from './headers.js'
import { logRequest } from './request-log.js'

export interface AppOptions {
  readonly services: Services
  readonly log: Logger
  /** Null when nobody wants to read them. */
  readonly metrics: Metrics | null
  /** The address that clients use. Known for certain only once the server listens. */
  readonly publicUrl: () => string
  /** How many proxies stand in front, whose word for the client's address is taken. */
  readonly trustProxy: number
  /** True once the server is on its way out, so that balancers send their requests elsewhere. */
  readonly isStopping: () => boolean
}

/** The whole HTTP surface, from the request's id to the last 404. */
export function createApp(options: AppOptions): RequestListener {
  const { services, log, metrics, publicUrl, trustProxy, isStopping } = options
  const report = reportTo(log)
  const headers = commonHeaders(publicUrl().startsWith('https:'))
  const doors = [
    restDoor(services, trustProxy, report),
    trpcDoor(services, trustProxy, report),
    pageDoor({ services, publicUrl, isStopping }),
  ]

  async function answer(exchange: Exchange): Promise<void> {
    const { request, response } = exchange
    // HTTP/1.1 wants this refused; Node's own answer would have no body.
    if (request.httpVersion === '1.1' && request.headers.host === undefined) throw invalid('Host', 'is required')
    if (request.method === 'OPTIONS') {
      exchange.begin(204, preflightHeaders)
      response.end()
      return
    }
    for (const door of doors) {
      const answered = door(exchange)
      if (answered) return answered
    }
    throw unknown('Path')
  }

  return (request, response) => {
    const exchange = new Exchange(request, response, headers)
    if (isStopping()) response.shouldKeepAlive = false
    response.once('close', () => {
      logRequest(log, exchange)
      if (exchange.operation !== null) metrics?.count(exchange.operation, response.statusCode, exchange.elapsed)
    })
    answer(exchange).catch((error: unknown) => refuse(exchange, error, report))
  }
}
