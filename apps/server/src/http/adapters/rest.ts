import type { IncomingMessage } from 'node:http'
import { type Context, EventStream, type Operation, Rendered, refusalOf, type Services } from '@collab-spaces/api'
import { invalid, textProblem, unknown } from '@collab-spaces/domain'
import { countedAddress } from '../address.js'
import { readBody } from '../body.js'
import { MethodNotAllowed, type ReportFault } from '../errors.js'
import type { Exchange } from '../exchange.js'
import { type Match, Routes } from '../routes.js'
import { CONTEXT_EVENTS, StreamWriter } from '../stream.js'
import { credentialOf, decode, parseQuery } from '../target.js'
import { sendChunks } from '../write.js'

/**
 * The REST door: finds the procedure of a path and method, gathers its input from path, query, headers and body,
 * calls it, and writes what it returns. Input is only read once the procedure asks for it, which is after it has
 * checked the caller. Null when no operation has the path.
 */
export function restDoor(
  services: Services,
  trustProxy: number,
  report: ReportFault,
): (exchange: Exchange) => Promise<void> | null {
  const routes = new Routes()
  const streams = new StreamWriter(CONTEXT_EVENTS, report)

  return (exchange) => {
    const match = routes.find(exchange.path)
    return match && answer(exchange, match)
  }

  async function answer(exchange: Exchange, match: Match): Promise<void> {
    exchange.operation = 'refused'
    const operation = match.route.operations.get(exchange.method)
    if (!operation) throw new MethodNotAllowed(match.route.allow)
    const result = await call(operation, exchange, match).catch((error: unknown) => {
      throw namingHeader(error, operation)
    })
    exchange.operation = operation.name
    await send(exchange, result)
  }

  function call(operation: Operation, exchange: Exchange, match: Match): Promise<unknown> {
    const { request, query } = exchange
    const token = credentialOf(request.headers.authorization, query)
    const ctx: Context = { services, token, address: () => countedAddress(request, trustProxy) }
    let input: Promise<unknown> | undefined
    return operation.run({
      ctx,
      getRawInput() {
        input ??= readInput(request, query, match, operation)
        return input
      },
    })
  }

  async function send(exchange: Exchange, result: unknown): Promise<void> {
    if (result instanceof EventStream) {
      if (exchange.request.method === 'HEAD') return endHead(exchange, 'text/event-stream; charset=utf-8')
      return streams.write(exchange, result)
    }
    if (!(result instanceof Rendered)) return exchange.sendJson(200, JSON.stringify(result))
    if (typeof result.chunks === 'string') return exchange.sendJson(200, result.chunks, [], result.size)
    if (exchange.request.method === 'HEAD') return endHead(exchange, 'application/json; charset=utf-8')
    return sendChunks(exchange, result.chunks)
  }
}

/** What a REST client sent in a header is refused by the header's name, not by that of its field. */
function namingHeader(error: unknown, { meta }: Operation): unknown {
  const refused = refusalOf(error)
  if (refused?.kind !== 'invalid') return error
  const named = Object.entries(meta.headers ?? {}).find(([, field]) => refused.detail.startsWith(`${field}: `))
  return named ? invalid(named[0], refused.detail.slice(named[1].length + 2)) : error
}

async function readInput(
  request: IncomingMessage,
  query: string,
  { route, values }: Match,
  { meta }: Operation,
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = Object.create(null)
  Object.assign(
    input,
    meta.openapi.method === 'GET' || meta.openapi.method === 'DELETE' ? parseQuery(query) : await readBody(request),
  )
  delete input.token
  for (const [header, field] of Object.entries(meta.headers ?? {})) {
    // Only the header says it, never a field of the body that happens to have its name.
    delete input[field]
    const value = request.headers[header.toLowerCase()]
    if (value !== undefined) input[field] = value
  }
  route.names.forEach((name, index) => {
    input[name] = pathValue(values[index] as string, name)
  })
  return input
}

/** An id that cannot be stored is the id of nothing. */
function pathValue(segment: string, name: string): string {
  const value = decode(segment, name)
  if (textProblem(value)) throw unknown(name.replace(/_id$/, '').replace(/^./, (letter) => letter.toUpperCase()))
  return value
}

/** What a long answer would be, without beginning to make it. */
function endHead(exchange: Exchange, contentType: string): void {
  exchange.begin(200, ['Content-Type', contentType])
  exchange.response.end()
}
