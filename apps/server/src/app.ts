import type { Services } from '@collab-spaces/api'
import { invalid } from '@collab-spaces/domain'
import express, { type Express, type RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.js'
import { MCP_PATH, mcp } from './http/adapters/mcp.js'
import { notificationLinks } from './http/adapters/notification-links.js'
import { challengeOf, type OauthKeys, oauth } from './http/adapters/oauth.js'
import { pages } from './http/adapters/pages.js'
import { rest } from './http/adapters/rest.js'
import { TRPC_PATH, trpc } from './http/adapters/trpc.js'
import { addressCounter } from './http/address.js'
import { BodyReader } from './http/body/reader.js'
import { answerErrors, notFound, reportTo } from './http/errors.js'
import { commonHeaders, preflight } from './http/headers.js'
import { requireHost } from './http/host.js'
import { page } from './http/page.js'
import { countRequests, logRequests, requestId } from './http/request-log.js'
import { isForeignPage, type Sender } from './http/sender.js'

export interface AppOptions {
  readonly services: Services
  readonly log: Logger
  /** Null when nobody wants to read them. */
  readonly metrics: Metrics | null
  /** The address that clients use. Known for certain only once the server listens. */
  readonly publicUrl: () => string
  /** The names that the server answers to, beside the machine's own and addresses. */
  readonly hosts: readonly string[]
  /** How many proxies stand in front, whose word for the client's address is taken. */
  readonly trustProxy: number
  /** Origins of pages that may call the MCP server, beside our own. */
  readonly mcpOrigins: readonly string[]
  /** The keys that OAuth needs, or why there is none. */
  readonly oauth: OauthKeys | string
  /** Where the built page for people is; null if it was not built. */
  readonly pageDirectory: string | null
  /** True once the server is on its way out, so that balancers send their requests elsewhere. */
  readonly isStopping: () => boolean
}

/** The whole HTTP surface, from the request's id to the last 404. */
export function createApp(options: AppOptions): Express {
  const { services, log, metrics, publicUrl, hosts, trustProxy, mcpOrigins, pageDirectory, isStopping } = options
  const challenge = () => (typeof options.oauth === 'string' ? null : challengeOf(publicUrl()))
  const report = reportTo(log)
  const sender: Sender = {
    address: addressCounter(trustProxy, log),
    isForeignPage: (request) => isForeignPage(request, publicUrl()),
  }
  const app = express()
  app.disable('x-powered-by').disable('etag').disable('query parser')
  // Answers of Express itself, should there ever be any, come without a stack trace.
  app.set('env', 'production')
  app.enable('case sensitive routing').enable('strict routing')

  app.use(requestId)
  app.use(commonHeaders(publicUrl().startsWith('https:')))
  app.use(logRequests(log, trustProxy, isStopping))
  if (metrics) app.use(countRequests(metrics))
  app.use(hangUpWhen(isStopping))
  app.use(requireHost(hosts, trustProxy))
  app.use(refuseTransferCodings)
  app.use(preflight)

  const bodies = new BodyReader()
  app.use(rest(services, sender, report, bodies))
  app.use(TRPC_PATH, trpc(services, sender, report, bodies))
  app.all([MCP_PATH, `${MCP_PATH}/`], mcp({ services, sender, report, bodies, challenge, origins: mcpOrigins }))
  app.use(oauth({ services, sender, report, log, bodies, publicUrl, oauth: options.oauth }))
  app.use(notificationLinks(services, sender))
  app.use(pages({ services, publicUrl, isStopping }))
  if (pageDirectory !== null) app.use(page(pageDirectory))

  app.use(notFound)
  app.use(answerErrors(report))
  return app
}

/** Clients of a server that is on its way out connect anew, to another one. */
const hangUpWhen =
  (isStopping: () => boolean): RequestHandler =>
  (_request, response, next) => {
    if (isStopping()) response.shouldKeepAlive = false
    next()
  }

/** A body that was coded in other ways, too, before it was cut into chunks, is not what it seems. */
const refuseTransferCodings: RequestHandler = ({ headers }, _response, next) => {
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw invalid('Transfer-Encoding', 'must be chunked, or absent')
  }
  next()
}
