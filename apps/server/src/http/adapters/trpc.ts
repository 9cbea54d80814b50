import { appRouter, type Context, operations, refusalOf, type Services, valueBudget } from '@collab-spaces/api'
import { BODY_BYTES } from '@collab-spaces/domain'
import { createExpressMiddleware } from '@trpc/server/adapters/express'
import type { Request, RequestHandler } from 'express'
import { headersOf, MethodNotAllowed, type ReportFault } from '../errors.js'
import { whenAnswered, whenGone } from '../gone.js'
import type { Sender } from '../sender.js'
import { credentialOf } from '../target.js'
import { type ConnectionParams, subscriptions } from './trpc-subscription.js'

/** tRPC's middleware takes the last segment of a path for the procedure, so it only gets paths that have no other. */
export const TRPC_PATH = /^\/trpc(?=\/[^/]*$)/

/** As many calls as a program may put into one request. */
const MAX_BATCH = 100

/** tRPC: the same procedures, with batching and subscriptions, for TypeScript clients. */
export function trpc(services: Services, sender: Sender, report: ReportFault): RequestHandler[] {
  const contextOf = (request: Request, connectionParams: ConnectionParams, calls = 1): Context => ({
    services,
    token: credentialOf(request.headers.authorization, request.target.query) ?? connectionParams?.token,
    address: () => sender.address(request),
    isForeignPage: () => sender.isForeignPage(request),
    onCaller: (caller) => {
      request.caller = caller
    },
    whenGone: (callback) => whenGone(request, callback),
    values: valueBudget({ calls, whenAnswered: (callback) => whenAnswered(request, callback) }),
  })
  const callsOf = (maxBodySize: number) =>
    createExpressMiddleware({
      router: appRouter,
      maxBodySize,
      maxBatchSize: MAX_BATCH,
      createContext: ({ req, info }) => contextOf(req, info.connectionParams, info.calls.length),
      responseMeta: ({ errors }) => ({ headers: headersOf(errors.flatMap((error) => refusalOf(error) ?? [])) }),
      onError({ error, req }) {
        if (!refusalOf(error) && error.code === 'INTERNAL_SERVER_ERROR') report(error, req.id)
      },
    })
  const known = callsOf(BODY_BYTES.most)
  const stranger = callsOf(BODY_BYTES.stranger)
  const calls: RequestHandler = (request, response, next) =>
    (isOpenToStrangers(request.path) ? stranger : known)(request, response, next)
  return [refuseTrace, subscriptions(contextOf, report), calls]
}

const FOR_STRANGERS = operations.filter(({ meta }) => meta.body === 'stranger').map(({ name }) => name)

/** All calls of a request share its body, so one that anybody can make keeps it small. No client escapes the names. */
const isOpenToStrangers = (path: string) => path.includes('%') || FOR_STRANGERS.some((name) => path.includes(name))

/** tRPC's middleware makes a `Request` of each, which may not have this method. */
const refuseTrace: RequestHandler = ({ method }, _response, next) => {
  if (method === 'TRACE') throw new MethodNotAllowed('GET, HEAD, POST')
  next()
}
