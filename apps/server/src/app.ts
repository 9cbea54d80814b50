import type { Services } from '@collab-spaces/api'
import { invalid } from '@collab-spaces/domain'
import express, { type Express, type RequestHandler } from 'express'
import type { Logger } from 'pino'
import { incomingWebhooks } from './http/adapters/incoming-webhooks.js'
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
import type { Metrics } from './metrics.js'

export interface AppOptions {
  readonly services: Services
  readonly log: Logger
  /** Null without metrics. */
  readonly metrics: Metrics | null
  /** Returns the public URL, which is final only once the server listens. */
  readonly publicUrl: () => string
  /** The allowed host names, besides loopback names and IP addresses. */
  readonly hosts: readonly string[]
  /** The number of trusted proxies. */
  readonly trustProxy: number
  /** Further origins of pages that may call the MCP server. */
  readonly mcpOrigins: readonly string[]
  /** The keys of OAuth, or why it is off. */
  readonly oauth: OauthKeys | string
  /** The directory of the built page; null if it was not built. */
  readonly pageDirectory: string | null
  /** Whether the server is draining, so that load balancers use other instances. */
  readonly isStopping: () => boolean
}

/** Creates the HTTP application, from the request ID to the final 404. */
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
  // Express's own error responses have no stack trace.
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
  app.use(incomingWebhooks(services, sender, bodies))
  app.use(pages({ services, publicUrl, isStopping }))
  if (pageDirectory !== null) app.use(page(pageDirectory))

  app.use(notFound)
  app.use(answerErrors(report))
  return app
}

/** Closes the connections of a draining server after the response, so that clients reconnect elsewhere. */
const hangUpWhen =
  (isStopping: () => boolean): RequestHandler =>
  (_request, response, next) => {
    if (isStopping()) response.shouldKeepAlive = false
    next()
  }

/** Refuses transfer codings other than `chunked`. */
const refuseTransferCodings: RequestHandler = ({ headers }, _response, next) => {
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw invalid('Transfer-Encoding', 'must be chunked, or absent')
  }
  next()
}
