import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Context, EventStream, type Operation, Rendered, refusalOf, type Services } from '@collab-spaces/api'
import { invalid, textProblem, unknown } from '@collab-spaces/domain'
import { readBody } from './body.js'
import { MethodNotAllowed, sendJson } from './errors.js'
import { type Match, Routes } from './routes.js'
import type { SlowReaders } from './slow-readers.js'
import type { StreamWriter } from './stream.js'
import { credentialOf, decode, parseQuery, splitTarget } from './target.js'
import { sendChunks } from './write.js'

export interface RestOptions {
  readonly services: Services
  readonly streams: StreamWriter
  readonly slowReaders: SlowReaders
}

/**
 * The REST door: finds the procedure of a path and method, gathers its input from path, query, headers and body,
 * calls it, and writes what it returns. Input is only read once the procedure asks for it, which is after it has
 * checked the caller. Resolves to the operation that answered, or null when no operation has the path.
 */
export function restDoor({ services, streams, slowReaders }: RestOptions) {
  const routes = new Routes()

  return async (request: IncomingMessage, response: ServerResponse): Promise<Operation | null> => {
    const { path, query } = splitTarget(request.url ?? '/')
    const match = routes.find(path)
    if (!match) return null
    const operation = match.route.operations.get(request.method === 'HEAD' ? 'GET' : (request.method ?? ''))
    if (!operation) throw new MethodNotAllowed(match.route.allow)

    const context: Context = { services, token: credentialOf(request.headers.authorization, query), door: 'rest' }
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const input = () => readInput(request, query, match, operation)
    const answer = await call(operation, context, input, gone.signal).catch((error) => {
      throw namingHeader(error, operation)
    })
    await send(response, answer)
    return operation
  }

  async function send(response: ServerResponse, answer: unknown): Promise<void> {
    if (answer instanceof EventStream) {
      if (response.req.method === 'HEAD') return endHead(response, 'text/event-stream; charset=utf-8')
      return streams.write(response, answer)
    }
    if (!(answer instanceof Rendered)) return sendJson(response, 200, JSON.stringify(answer))
    if (typeof answer.chunks === 'string') return sendJson(response, 200, answer.chunks)
    if (response.req.method === 'HEAD') return endHead(response, 'application/json; charset=utf-8')
    slowReaders.watch(response)
    return sendChunks(response, answer.chunks)
  }
}

function call(
  { name, procedure }: Operation,
  ctx: Context,
  readRawInput: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  let input: Promise<unknown> | undefined
  const getRawInput = () => {
    input ??= readRawInput()
    return input
  }
  const run = procedure as unknown as (options: object) => Promise<unknown>
  return run({ ctx, getRawInput, path: name, type: procedure._def.type, signal, batchIndex: 0 })
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
  Object.assign(input, meta.method === 'GET' || meta.method === 'DELETE' ? parseQuery(query) : await readBody(request))
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
function endHead(response: ServerResponse, contentType: string): void {
  response.writeHead(200, { 'Content-Type': contentType })
  response.end()
}
