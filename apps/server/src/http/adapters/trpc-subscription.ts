import {
  ActorStream,
  type Context,
  EventStream,
  errorShape,
  type Frame,
  type Operation,
  operations,
  refusalOf,
} from '@collab-spaces/api'
import { invalid } from '@collab-spaces/domain'
import { getTRPCErrorFromUnknown } from '@trpc/server'
import { parseConnectionParamsFromString, type TRPCRequestInfo } from '@trpc/server/http'
import type { Request, RequestHandler, Response } from 'express'
import type { ReportFault } from '../errors.js'
import { STREAM_HEADERS, type StreamFormat, StreamWriter } from '../stream.js'

export type ConnectionParams = TRPCRequestInfo['connectionParams']

/** Streams as tRPC's clients expect them: an event without a name for each value, and names for all else. */
const eventsOf = (subscription: string): Omit<StreamFormat, 'frame'> => ({
  opening: 'event: connected\ndata: {}\n\n',
  keepAlive: 'event: ping\ndata: \n\n',
  signal: (signal) => `data: ${JSON.stringify(signal)}\n\n`,
  // Without it, a client would come back with a credential that has ended, or take a refusal for a broken connection.
  ending: (reason) =>
    reason === null ? '' : `event: serialized-error\ndata: ${JSON.stringify(errorShape(reason, subscription))}\n\n`,
})

/** A stream of one space is tracked by its events. */
const TRACKED: Frame = ({ eventId, wire }) => `data: ${wire}\nid: ${eventId}\n\n`
/** Among other messages, an event has a kind as they have. */
const NAMED: Frame = ({ wire }) => `data: {"kind":"context_event","event":${wire}}\n\n`

/** Every other operation has a JSON answer. */
const SUBSCRIPTIONS = operations.filter(({ output }) => !output)

type ContextOf = (request: Request, params: ConnectionParams) => Context

/**
 * Answers subscriptions in the place of tRPC's own handler, which parses and renders each event anew for every reader
 * and takes a dozen promises and three streams to write it. Here they share frames and pace with the streams of REST.
 * Any other call, and what tRPC refuses to do with a subscription, is left to it.
 */
export function subscriptions(contextOf: ContextOf, report: ReportFault): RequestHandler {
  const writers = new Map(SUBSCRIPTIONS.map((operation) => [`/${operation.name}`, writersOf(operation)]))

  return (request, response, next) => {
    const subscription = writers.get(request.path)
    if (!subscription || request.method !== 'GET') return next()
    const params = new URLSearchParams(request.target.query)
    return params.get('batch') === '1' ? next() : answer(subscription, request, response, params)
  }

  function writersOf(operation: Operation) {
    const events = eventsOf(operation.name)
    return {
      operation,
      events,
      ofSpace: new StreamWriter({ ...events, frame: TRACKED }, report),
      ofActor: new StreamWriter({ ...events, frame: NAMED }, report),
    }
  }

  async function answer(
    { operation, events, ofSpace, ofActor }: ReturnType<typeof writersOf>,
    request: Request,
    response: Response,
    params: URLSearchParams,
  ): Promise<void> {
    try {
      const connection = params.get('connectionParams')
      const ctx = contextOf(request, connection === null ? null : parseConnectionParamsFromString(connection))
      const stream = await operation.run({ ctx, getRawInput: async () => inputOf(request, params) })
      if (stream instanceof EventStream) ofSpace.write(response, stream)
      if (stream instanceof ActorStream) ofActor.write(response, stream)
    } catch (error) {
      if (!refusalOf(error) && getTRPCErrorFromUnknown(error).code === 'INTERNAL_SERVER_ERROR') {
        report(error, request.id)
      }
      // A client can read what is wrong only in a stream.
      response.begin(200, STREAM_HEADERS)
      response.end(events.opening + events.ending(error))
    }
  }
}

/** A client that lost its connection adds the last event it got, in a header or in the address. */
function inputOf({ headers }: Request, params: URLSearchParams): unknown {
  const text = params.get('input')
  const input: unknown = text ? parseInput(text) : undefined
  const lastEventId = headers['last-event-id'] ?? params.get('lastEventId') ?? params.get('Last-Event-Id')
  if (!lastEventId) return input
  return isObject(input) ? { ...input, lastEventId } : (input ?? { lastEventId })
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('input', 'is not valid JSON')
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
