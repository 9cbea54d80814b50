import type { Beginning } from '@collab-spaces/db'
import { DomainError, humanOf } from '@collab-spaces/domain'
import { ActorStream, type Follow } from '../live/actor-stream.js'
import type { Caller } from '../procedure/credential.js'
import { procedure } from '../procedure/trpc.js'
import { type FollowedSpace, StreamActor } from '../schemas/signal.js'
import type { Services } from '../services.js'

export const actorStreamProcedure = {
  stream: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'stream',
      route: 'GET /api/actors/me/stream',
      // trpc-to-openapi does not support streams: our document and our adapter add it.
      tags: ['Actors', 'Extensions'],
      summary: 'Follow all changes for the caller on one connection',
      description: 'Server-Sent Events: changes as ids and counts, and the events of up to 50 spaces in `follow`.',
    })
    .input(StreamActor)
    .subscription(async ({ ctx: { caller, services }, input: { follow = [] } }) => {
      const spaceIds = [...new Set(follow.map(({ spaceId }) => spaceId))]
      const follows = await Promise.all(
        spaceIds.map((id) =>
          earliest(
            services,
            caller,
            follow.filter(({ spaceId }) => spaceId === id),
          ),
        ),
      )
      const onClose = services.limits.streams?.take(humanOf(caller))
      return new ActorStream(services, caller, follows, onClose)
    }),
}

/** The earliest of several places in a space, from which it is followed. */
async function earliest(services: Services, caller: Caller, places: readonly FollowedSpace[]): Promise<Follow> {
  const found = await Promise.all(
    places.map(async (place) => ({ ...place, beginning: await beginningAt(services, caller, place) })),
  )
  return found.reduce((first, next) => (positionOf(next.beginning) < positionOf(first.beginning) ? next : first))
}

function beginningAt(
  services: Services,
  caller: Caller,
  { spaceId, since }: FollowedSpace,
): Promise<Beginning | DomainError> {
  return services.database.events.begin(caller, spaceId, since ?? undefined).catch((error: unknown) => {
    if (error instanceof DomainError && error.kind === 'unknown') return error
    throw error
  })
}

/** Nothing begins at what does not exist. */
const positionOf = (beginning: Beginning | DomainError) =>
  'after' in beginning ? beginning.after : Number.POSITIVE_INFINITY
