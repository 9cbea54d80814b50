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
import { whenAnswered, whenSent } from '../gone.js'
import { warnOfToken } from '../headers.js'
import { contextOf, type Sender } from '../sender.js'
import { credentialOf } from '../target.js'
import { sendJson, sendResponse } from '../write.js'
import { type ConnectionParams, subscriptions } from './trpc-subscription.js'

/** The path is one segment, the procedure. */
export const TRPC_PATH = /^\/trpc(?=\/[^/]*$)/

/** The maximum number of calls in one request. */
const MAX_BATCH = 100

/** tRPC: the same procedures, with batching and subscriptions, for TypeScript clients. */
export function trpc(services: Services, sender: Sender, report: ReportFault, bodies: BodyReader): RequestHandler[] {
  const contextFor = (request: ExpressRequest, params: ConnectionParams, values = budgetOf(request)): Context => {
    const token = credentialOf(request.headers.authorization, request.target.query) ?? params?.token
    return { ...contextOf(services, sender, request, token), values }
  }

  const calls: RequestHandler = async (request, response) => {
    if (request.method === 'POST') warnOfToken(request, response)
    request.operation = 'refused'
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
        // tRPC has no code for 421. All calls of a request have one credential.
        const moved = refused.find(({ kind }) => kind === 'moved')
        return { headers: headersOf(refused), ...(moved && { status: statusOf(moved) }) }
      },
      onError({ error }) {
        if (!refusalOf(error) && error.code === 'INTERNAL_SERVER_ERROR') report(error, request.id)
      },
    })
    if (answer.ok) request.operation = nameOf(request)
    await sendResponse(response, answer)
  }
  return [refuseTrace, subscriptions(contextFor, report), calls]
}

const NAMES: readonly string[] = operations.map(({ name }) => name)

/** Returns the name of the only procedure of a request, or else `batch`. */
const nameOf = (request: ExpressRequest) => NAMES.find((name) => proceduresOf(request) === `/${name}`) ?? 'batch'

/** One for all calls of a request. The head of a streamed answer is sent before its values are made. */
function budgetOf(request: ExpressRequest): ValueBudget {
  const when = request.headers['trpc-accept'] === 'application/jsonl' ? whenSent : whenAnswered
  return valueBudget({ calls: countOfCalls(request), whenAnswered: (callback) => when(request, callback) })
}

const countOfCalls = (request: ExpressRequest) => proceduresOf(request).split(',').length

/** Returns the procedure names of a request, decoded as tRPC does, which refuses invalid ones. */
function proceduresOf({ path }: ExpressRequest): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Sends one refusal for all calls of a request, which tRPC clients apply to each. */
function refuseAll(response: Response, error: unknown): void {
  const refused = refusalOf(error)
  if (!refused) throw error
  if (response.destroyed) return
  const headers = Object.entries(headersOf([refused])).flat()
  sendJson(response, statusOf(refused), JSON.stringify({ error: errorShape(refused) }), headers)
}

/** Returns the connection parameters, parsed by tRPC, which refuses invalid ones. */
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
 * Returns a request for tRPC. Its body is read when tRPC requests it, after authentication: tRPC's own adapters read any
 * body into memory, however large and slow.
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

/** Calls share the body of a request, so one without a credential keeps it small. Clients do not escape names. */
const isOpenToStrangers = (path: string) => path.includes('%') || FOR_STRANGERS.some((name) => path.includes(name))

/** A `Request` must not have this method. */
const refuseTrace: RequestHandler = ({ method }, _response, next) => {
  if (method === 'TRACE') throw new MethodNotAllowed('GET, HEAD, POST')
  next()
}
