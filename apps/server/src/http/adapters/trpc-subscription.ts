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

/** The stream format of tRPC clients: unnamed messages for values, named ones for everything else. */
const eventsOf = (subscription: string): Omit<StreamFormat, 'frame'> => ({
  opening: 'event: connected\ndata: {}\n\n',
  keepAlive: 'event: ping\ndata: \n\n',
  signal: (signal) => `data: ${JSON.stringify(signal)}\n\n`,
  // Otherwise a client would reconnect with an ended credential, or treat a refusal as a broken connection.
  ending: (reason) =>
    reason === null ? '' : `event: serialized-error\ndata: ${JSON.stringify(errorShape(reason, subscription))}\n\n`,
})

/** A stream of one space is tracked by its events. */
const TRACKED: Frame = ({ eventId, wire }) => `data: ${wire}\nid: ${eventId}\n\n`
/** Among signals, an event has a kind, too. */
const NAMED: Frame = ({ wire }) => `data: {"kind":"context_event","event":${wire}}\n\n`

/** The operations without a JSON output. */
const SUBSCRIPTIONS = operations.filter(({ output }) => !output)

type ContextOf = (request: Request, params: ConnectionParams) => Context

/**
 * Serves subscriptions instead of tRPC's own handler, which parses and renders each event for every reader, with a dozen
 * promises and three streams each. Here they share buffers and back-pressure with the streams of REST. All other calls, and
 * invalid subscriptions, are left to tRPC.
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
    request.operation = 'refused'
    try {
      const connection = params.get('connectionParams')
      const ctx = contextOf(request, connection === null ? null : parseConnectionParamsFromString(connection))
      const stream = await operation.run({ ctx, getRawInput: async () => inputOf(request, params) })
      request.operation = operation.name
      if (stream instanceof EventStream) ofSpace.write(response, stream)
      if (stream instanceof ActorStream) ofActor.write(response, stream)
    } catch (error) {
      if (!refusalOf(error) && getTRPCErrorFromUnknown(error).code === 'INTERNAL_SERVER_ERROR') {
        report(error, request.id)
      }
      // A client can read an error only in a stream.
      response.begin(200, STREAM_HEADERS)
      response.end(events.opening + events.ending(error))
    }
  }
}

/** Reads the input. A reconnecting client adds its last event, in a header or in the query. */
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
