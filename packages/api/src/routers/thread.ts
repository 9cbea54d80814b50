import { requireAcceptsEvents, unknown } from '@collab-spaces/domain'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import { presentThread } from '../presenters/thread.js'
import { Rendered } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { FindThread, StartThread, Thread, ThreadWithEvents } from '../schemas/thread.js'

export const threadRouter = router({
  start: procedure
    .meta({
      caller: 'actor',
      openapi: {
        method: 'POST',
        path: '/api/spaces/{space_id}/threads',
        tags: ['Threads'],
        summary: 'Start a thread on an event, or get the existing one',
        errorResponses: [404, 409],
      },
    })
    .input(StartThread)
    .output(Thread)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, parent_event_id, subject } }) => {
      const thread = await services.database.threads.start(
        caller.scope,
        space_id,
        {
          threadId: uuidv7(),
          parentEventId: parent_event_id,
          subject,
          postedBy: caller.actorId,
          createdAt: new Date(),
        },
        (space) => requireAcceptsEvents(space.status),
      )
      if (thread === 'unknown_space') throw unknown('Space')
      if (thread === 'unknown_event') throw unknown('Parent event')
      return presentThread(thread)
    }),

  get: procedure
    .meta({
      caller: 'actor',
      openapi: {
        method: 'GET',
        path: '/api/spaces/{space_id}/threads/{event_id}',
        tags: ['Threads'],
        summary: 'Get a thread with its events, ascending',
        errorResponses: [404],
      },
    })
    .input(FindThread)
    .output(ThreadWithEvents)
    .query(async ({ ctx: { caller, services }, input: { space_id, event_id } }) => {
      const { events, threads } = services.database
      const thread = await threads.find(caller.scope, space_id, event_id)
      if (!thread) throw unknown('Thread')
      return Rendered.pieces<z.infer<typeof ThreadWithEvents>>(
        events.threadPieces(caller.scope, space_id, thread.threadId),
        `{"thread":${JSON.stringify(presentThread(thread))},"events":`,
        '}',
      )
    }),
})
