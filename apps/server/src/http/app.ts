import type { Services } from '@collab-spaces/api'
import { invalid, unavailable, unknown } from '@collab-spaces/domain'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import type { Logger } from 'pino'
import { pinoHttp } from 'pino-http'
import type { Metrics } from '../metrics.js'
import { docs } from './docs.js'
import { onlyGet, reportTo, sendError, sendJson } from './errors.js'
import { openToAnyOrigin, securityHeaders } from './headers.js'
import { identify, requestIdOf } from './identify.js'
import { restDoor } from './rest.js'
import { SlowReaders } from './slow-readers.js'
import { StreamWriter } from './stream.js'
import { splitTarget } from './target.js'
import { trpcDoor } from './trpc.js'

export interface AppOptions {
  readonly services: Services
  readonly log: Logger
  readonly metrics: Metrics
  /** The address that clients use. Known for certain only once the server listens. */
  readonly publicUrl: () => string
  /** How many proxies stand in front, whose word for the client's address is taken. */
  readonly trustProxy: number
  /** True once the server is on its way out, so that balancers send their requests elsewhere. */
  readonly stopping: () => boolean
}

/** The whole HTTP surface, from the request's id to the last 404. */
export function createApp({ services, log, metrics, publicUrl, trustProxy, stopping }: AppOptions): Express {
  const report = reportTo(log)
  const slowReaders = new SlowReaders()
  const streams = new StreamWriter(slowReaders)
  const rest = restDoor({ services, streams, slowReaders })

  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', false)
  app.set('trust proxy', trustProxy)
  app.enable('case sensitive routing')
  app.enable('strict routing')

  app.use((request, response, next) => {
    identify(request, response)
    if (stopping()) response.setHeader('Connection', 'close')
    next()
  })
  app.use(requestLog(log))
  // HTTP/1.1 wants this refused; Node's own answer would have no body.
  app.use(({ httpVersion, headers }, _response, next) => {
    next(httpVersion === '1.1' && headers.host === undefined ? invalid('Host', 'is required') : undefined)
  })
  app.use(securityHeaders(publicUrl().startsWith('https:')))
  app.use(openToAnyOrigin)

  app
    .route('/health')
    .get((_request, response) => sendJson(response, 200, '{"status":"ok"}'))
    .all(onlyGet)
  app
    .route('/ready')
    .get(async (_request, response) => {
      if (stopping()) throw unavailable()
      await services.database.ping()
      sendJson(response, 200, '{"status":"ready"}')
    })
    .all(onlyGet)
  app.use(docs(publicUrl))
  app.use('/trpc', trpcDoor(services, slowReaders, report))
  app.use(async (request, response, next) => {
    const done = metrics.begin()
    try {
      const operation = await rest(request, response)
      if (operation) done(operation.name, response.statusCode)
      else next()
    } catch (error) {
      sendError(response, error, requestIdOf(response), report)
      done('refused', response.statusCode)
    }
  })
  app.use((_request, _response, next) => next(unknown('Path')))
  app.use(((error, _request, response, _next) => {
    sendError(response, error, requestIdOf(response), report)
  }) satisfies ErrorRequestHandler)
  return app
}

/** What looks like a credential, which somebody has put where an id belongs. */
const CREDENTIAL = /(svc_|inv_code_)\w+/g

const pathOf = (url: string) => splitTarget(url).path.replace(CREDENTIAL, '$1…')

/** One line a request: no header, no body, and of the URL only its path, as the query may hold a credential. */
function requestLog(log: Logger): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId: (_request, response) => requestIdOf(response),
    quietReqLogger: true,
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'info'),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request failed',
    serializers: {
      req: ({ raw }) => ({ method: raw.method, path: pathOf(raw.originalUrl ?? raw.url) }),
      res: ({ raw }) => ({ status: raw.statusCode }),
    },
  }) as RequestHandler
}
