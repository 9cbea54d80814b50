import {
  appRouter,
  type Context,
  enterTogether,
  errorShape,
  operations,
  refusalOf,
  type Services,
  statusOf,
  type ValueBudget,
  valueBudget,
} from '@collab-spaces/api'
import { BODY_BYTES } from '@collab-spaces/domain'
import { parseConnectionParamsFromString, resolveResponse } from '@trpc/server/http'
import type { Request as ExpressRequest, RequestHandler, Response } from 'express'
import type { BodyReader } from '../body/reader.js'
import { headersOf, MethodNotAllowed, type ReportFault } from '../errors.js'
import { whenAnswered } from '../gone.js'
import { warnOfToken } from '../headers.js'
import { contextOf, type Sender } from '../sender.js'
import { credentialOf } from '../target.js'
import { sendJson, sendResponse } from '../write.js'
import { type ConnectionParams, subscriptions } from './trpc-subscription.js'

/** The last segment of a path is the procedure, and there is no other. */
export const TRPC_PATH = /^\/trpc(?=\/[^/]*$)/

/** As many calls as a program may put into one request. */
const MAX_BATCH = 100

/** tRPC: the same procedures, with batching and subscriptions, for TypeScript clients. */
export function trpc(services: Services, sender: Sender, report: ReportFault, bodies: BodyReader): RequestHandler[] {
  const contextFor = (request: ExpressRequest, params: ConnectionParams, values = budgetOf(request)): Context => {
    const token = credentialOf(request.headers.authorization, request.target.query) ?? params?.token
    return { ...contextOf(services, sender, request, token), values }
  }

  const calls: RequestHandler = async (request, response) => {
    if (request.method === 'POST') warnOfToken(request, response)
    const values = budgetOf(request)
    try {
      if (values.isOfMany) {
        const context = contextFor(request, connectionParamsOf(request), values)
        await enterTogether(context, values, isOpenToStrangers(proceduresOf(request)))
      }
    } catch (error) {
      return refuseAll(response, error)
    }
    const answer = await resolveResponse({
      router: appRouter,
      req: requestOf(request, bodies),
      path: request.path.slice(1),
      error: null,
      maxBatchSize: MAX_BATCH,
      createContext: async ({ info }) => contextFor(request, info.connectionParams, values),
      responseMeta: ({ errors }) => {
        const refused = errors.flatMap((error) => refusalOf(error) ?? [])
        // tRPC has no code for the status of a tenant that has moved. All calls of a request come with one credential.
        const moved = refused.find(({ kind }) => kind === 'moved')
        return { headers: headersOf(refused), ...(moved && { status: statusOf(moved) }) }
      },
      onError({ error }) {
        if (!refusalOf(error) && error.code === 'INTERNAL_SERVER_ERROR') report(error, request.id)
      },
    })
    await sendResponse(response, answer)
  }
  return [refuseTrace, subscriptions(contextFor, report), calls]
}

/** One for all calls of a request. */
const budgetOf = (request: ExpressRequest): ValueBudget =>
  valueBudget({ calls: countOfCalls(request), whenAnswered: (callback) => whenAnswered(request, callback) })

const countOfCalls = (request: ExpressRequest) => proceduresOf(request).split(',').length

/** The names of procedures, of which tRPC decodes each letter. It refuses names that cannot be decoded. */
function proceduresOf({ path }: ExpressRequest): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** One refusal for all calls of a request, which tRPC's clients give to each of them. */
function refuseAll(response: Response, error: unknown): void {
  const refused = refusalOf(error)
  if (!refused) throw error
  if (response.destroyed) return
  const headers = Object.entries(headersOf([refused])).flat()
  sendJson(response, statusOf(refused), JSON.stringify({ error: errorShape(refused) }), headers)
}

/** As tRPC finds them, which also refuses what is none. */
function connectionParamsOf({ target }: ExpressRequest): ConnectionParams {
  const text = new URLSearchParams(target.query).get('connectionParams')
  try {
    return text === null ? null : parseConnectionParamsFromString(text)
  } catch {
    return null
  }
}

/** The headers that tRPC reads. The credential is not among them. */
const HEADERS = /^(accept|content-type|trpc-accept)$/

/**
 * A request as tRPC takes it. Its body is read when tRPC asks for it, which is after the caller is known: tRPC's own
 * adapters read all that anybody sends into memory, and for as long as it takes.
 */
function requestOf(request: ExpressRequest, bodies: BodyReader): Request {
  const { method, headers, path } = request
  const limit = isOpenToStrangers(path) ? BODY_BYTES.stranger : BODY_BYTES.most
  const body = { body: readWhenAsked(() => bodies.readBytes(request, limit)), duplex: 'half' }
  return new Request(`http://localhost/trpc${request.url}`, {
    method,
    headers: Object.entries(headers).filter(([name]) => HEADERS.test(name)),
    ...(method !== 'GET' && method !== 'HEAD' && body),
  } as RequestInit)
}

const readWhenAsked = (read: () => Promise<Uint8Array>) =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        controller.enqueue(await read())
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )

const FOR_STRANGERS = operations.filter(({ meta }) => meta.body === 'stranger').map(({ name }) => name)

/** All calls of a request share its body, so one that anybody can make keeps it small. No client escapes the names. */
const isOpenToStrangers = (path: string) => path.includes('%') || FOR_STRANGERS.some((name) => path.includes(name))

/** A `Request` may not have this method. */
const refuseTrace: RequestHandler = ({ method }, _response, next) => {
  if (method === 'TRACE') throw new MethodNotAllowed('GET, HEAD, POST')
  next()
}
