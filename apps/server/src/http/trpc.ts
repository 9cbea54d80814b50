import { appRouter, type Context, refusalOf, type Services } from '@collab-spaces/api'
import { LIMITS } from '@collab-spaces/domain'
import { createExpressMiddleware } from '@trpc/server/adapters/express'
import type { RequestHandler } from 'express'
import type { ReportFault } from './errors.js'
import { requestIdOf } from './identify.js'
import type { SlowReaders } from './slow-readers.js'
import { credentialOf, splitTarget } from './target.js'

/** As many calls as a program may put into one request. */
const MAX_BATCH = 100

/** The tRPC door: the same procedures, with batching and subscriptions, for TypeScript clients. */
export function trpcDoor(services: Services, slowReaders: SlowReaders, report: ReportFault): RequestHandler {
  return createExpressMiddleware({
    router: appRouter,
    maxBodySize: LIMITS.bodyBytes,
    maxBatchSize: MAX_BATCH,
    createContext({ req, res, info }): Context {
      slowReaders.watch(res)
      const { query } = splitTarget(req.originalUrl)
      const token = credentialOf(req.headers.authorization, query) ?? info.connectionParams?.token
      return { services, token, door: 'trpc' }
    },
    onError({ error, req }) {
      if (!refusalOf(error) && error.code === 'INTERNAL_SERVER_ERROR') report(error, requestIdOf(req.res as never))
    },
  })
}
