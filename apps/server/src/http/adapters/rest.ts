import {
  ActorStream,
  Download,
  EventStream,
  type Operation,
  RenderedOutput,
  refusalOf,
  type Services,
} from '@collab-spaces/api'
import { type DomainError, invalid, unauthenticated } from '@collab-spaces/domain'
import type { Request, RequestHandler, Response } from 'express'
import type { BodyReader } from '../body/reader.js'
import { uploadOf } from '../body/upload.js'
import { sendDownload } from '../download.js'
import { MethodNotAllowed, type ReportFault, refuse } from '../errors.js'
import { warnOfToken } from '../headers.js'
import { type Match, Routes } from '../routes.js'
import { contextOf, type Sender } from '../sender.js'
import { CONTEXT_EVENTS, StreamWriter } from '../stream.js'
import { credentialOf, decode, parseQuery, storable } from '../target.js'
import { JSON_TYPE, LINES_TYPE, sendChunks, sendHead, sendJson } from '../write.js'

/**
 * REST: finds the procedure of a path and method, reads its input from path, query, headers and body, calls it, and writes
 * the result. The input is read after the caller was authenticated.
 */
export function rest(services: Services, sender: Sender, report: ReportFault, bodies: BodyReader): RequestHandler {
  const routes = new Routes()
  const streams = new StreamWriter(CONTEXT_EVENTS, report)

  return (request, response, next) => {
    const match = routes.find(request.target.path)
    return match ? answer(request, response, match) : next()
  }

  async function answer(request: Request, response: Response, match: Match): Promise<void> {
    request.operation = 'refused'
    // HEAD is served as GET; Node omits the body.
    const operation = match.route.operations.get(request.method === 'HEAD' ? 'GET' : request.method)
    if (!operation) throw new MethodNotAllowed(match.route.allow)
    if (operation.meta.openapi.method !== 'GET' && operation.meta.scope !== 'read') warnOfToken(request, response)
    const result = await call(operation, request, match).catch((error: unknown) => {
      throw namingHeader(error, operation)
    })
    request.operation = operation.name
    await send(response, result)
  }

  function call(operation: Operation, request: Request, match: Match): Promise<unknown> {
    const token = credentialOf(request.headers.authorization, request.target.query)
    let input: Promise<unknown> | undefined
    return operation.run({
      ctx: {
        ...contextOf(services, sender, request, token),
        ...(operation.meta.bytes === 'in' && { upload: uploadOf(request) }),
      },
      getRawInput() {
        input ??= readInput(request, match, operation, bodies)
        return input
      },
    })
  }

  async function send(response: Response, result: unknown): Promise<void> {
    const isHead = response.req.method === 'HEAD'
    if (result instanceof EventStream || result instanceof ActorStream) {
      if (isHead) {
        result.close()
        return sendHead(response, 'text/event-stream; charset=utf-8')
      }
      return streams.write(response, result)
    }
    if (result instanceof Download) {
      return untilRevoked(response, result.file.spaceId, () => sendDownload(response, result, isHead))
    }
    if (!(result instanceof RenderedOutput)) return sendJson(response, 200, JSON.stringify(result))
    const { chunks, encoding, isLines, spaceId } = result
    if (typeof chunks === 'string') return sendJson(response, 200, chunks, [], encoding)
    const contentType = isLines ? LINES_TYPE : JSON_TYPE
    if (isHead) return sendHead(response, contentType)
    return untilRevoked(response, spaceId, () => sendChunks(response, chunks, encoding, contentType))
  }

  /** Ends a long response, like a stream, with its credential or its space. */
  async function untilRevoked(response: Response, spaceId: string | null, send: () => Promise<void>): Promise<void> {
    const { caller } = response.req
    if (!caller) return send()
    const revoke = (reason: DomainError | null) => refuse(response, reason ?? unauthenticated(), report)
    const space = spaceId === null ? null : { tenantId: caller.tenantId, spaceId }
    const reader = { caller, space, isLive: false, revoke }
    services.revocations.watch(reader)
    try {
      await send()
    } finally {
      services.revocations.unwatch(reader)
    }
  }
}

/** Names the header instead of the field in an error about a header's value. */
function namingHeader(error: unknown, { meta }: Operation): unknown {
  const refused = refusalOf(error)
  if (refused?.kind !== 'invalid') return error
  const named = Object.entries(meta.headers ?? {}).find(([, field]) => refused.detail.startsWith(`${field}: `))
  return named ? invalid(named[0], refused.detail.slice(named[1].length + 2)) : error
}

async function readInput(
  request: Request,
  { route, values }: Match,
  { meta, bodyBytes }: Operation,
  bodies: BodyReader,
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = Object.create(null)
  if (meta.openapi.method === 'GET' || meta.openapi.method === 'DELETE' || meta.bytes === 'in') {
    Object.assign(input, parseQuery(request.target.query))
    // The credential is not an input.
    delete input.token
  } else {
    Object.assign(input, await bodies.read(request, bodyBytes))
  }
  for (const [header, field] of Object.entries(meta.headers ?? {})) {
    // Only the header counts, not a body field of the same name.
    delete input[field]
    const value = request.headers[header.toLowerCase()]
    if (value !== undefined) input[field] = value
  }
  route.names.forEach((name, index) => {
    const what = name.replace(/_id$/, '').replace(/^./, (letter) => letter.toUpperCase())
    input[name] = storable(decode(values[index] as string, name), what)
  })
  return input
}
