import type { AppRouter } from '@collab-spaces/api'
import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { abortWith } from './abort.js'
import { failedCall, type SpacesError } from './error.js'
import type { RouterInputs } from './router.js'
import type { SpaceStream, StreamOptions } from './stream.js'

/** `event.stream.subscribe`: the same as `client.stream`, with tRPC's callbacks. */
export function subscriptionLink(open: (spaceId: string, options: StreamOptions) => SpaceStream): TRPCLink<AppRouter> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const controller = new AbortController()
        const unlink = abortWith(controller, op.signal)

        const connecting = (error: SpacesError | null) =>
          observer.next({ result: { type: 'state', state: 'connecting', error } })
        const run = async () => {
          const { space_id, since, lastEventId } = op.input as RouterInputs['event']['stream']
          const stream = open(space_id, {
            since: lastEventId ?? since ?? undefined,
            signal: controller.signal,
            onConnect: () => {
              observer.next({ result: { type: 'started' } })
              observer.next({ result: { type: 'state', state: 'pending', error: null } })
            },
            onReconnect: connecting,
          })
          connecting(null)
          for await (const event of stream) {
            observer.next({ result: { id: event.event_id, data: { id: event.event_id, data: event } } })
          }
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
