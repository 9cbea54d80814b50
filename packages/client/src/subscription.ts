import type { AppRouter } from '@collab-spaces/api'
import { type Operation, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { abortWith } from './abort.js'
import type { ActorStream } from './actor-stream.js'
import { failedCall, type SpacesError } from './error.js'
import type { LastingOptions } from './lasting-stream.js'
import type { RouterInputs } from './router.js'
import type { SpaceStream, StreamOptions } from './stream.js'

interface Streams {
  stream(spaceId: string, options: StreamOptions): SpaceStream
  actorStream(options: LastingOptions): ActorStream
}

/** `event.stream.subscribe` and `actor.stream.subscribe`: `client.stream` and `client.actorStream` with tRPC's callbacks. */
export function subscriptionLink(streams: Streams): TRPCLink<AppRouter> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const controller = new AbortController()
        const unlink = abortWith(controller, op.signal)

        const connecting = (error: SpacesError | null) =>
          observer.next({ result: { type: 'state', state: 'connecting', error } })
        const run = async () => {
          const { stream, results } = opened(streams, op, {
            signal: controller.signal,
            onConnect: () => {
              observer.next({ result: { type: 'started' } })
              observer.next({ result: { type: 'state', state: 'pending', error: null } })
            },
            onReconnect: connecting,
          })
          connecting(null)
          for await (const data of results) observer.next({ result: { data } })
          if (stream.refusal) throw stream.refusal
        }
        run().then(
          () => observer.complete(),
          (error) => observer.error(failedCall(TRPCClientError.from(error))),
        )
        return () => {
          unlink()
          controller.abort()
        }
      })
}

/** The stream of a subscription, and its results as tRPC's own client has them: with an id where there is one. */
function opened(streams: Streams, { path, input }: Operation, options: LastingOptions) {
  if (path === 'actor.stream') {
    const stream = streams.actorStream(options)
    const { follow } = (input ?? {}) as Exclude<RouterInputs['actor']['stream'], void>
    for (const each of follow?.split(',') ?? []) {
      const [spaceId = '', since = null] = each.split('/')
      stream.follow(spaceId, since)
    }
    return { stream, results: stream }
  }
  const { space_id, since, lastEventId } = input as RouterInputs['event']['stream']
  const stream = streams.stream(space_id, { ...options, since: lastEventId ?? since ?? undefined })
  return { stream, results: tracked(stream) }
}

async function* tracked(stream: SpaceStream) {
  for await (const event of stream) yield { id: event.event_id, data: event }
}
