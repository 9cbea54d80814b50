import { databaseClock } from '@collab-spaces/db'
import { asUuid, requireAcceptsEvents, unknown, type Viewer } from '@collab-spaces/domain'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { presentActiveThread, presentThread } from '../presenters/thread.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { ActiveThread, FindThread, ListThreads, StartThread, Thread, ThreadWithEvents } from '../schemas/thread.js'
import type { Services } from '../services.js'

export const threadRouter = router({
  start: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: 'POST /api/spaces/{space_id}/threads',
      tags: ['Threads'],
      summary: 'Start a thread on an event or a decision, or get the existing one',
      description: 'On `parent_event_id`, or `decision_id`. One for each: again returns it. Not active: 409.',
      returns: 'thread',
      errors: [409],
      idempotent: true,
      example: { parent_event_id: 'the event_id of an event', subject: 'How to get there' },
    })
    .input(StartThread)
    .output(Thread)
    .mutation(
      async ({ ctx: { caller, services }, input: { space_id, parent_event_id = '', decision_id, subject } }) => {
        const thread = await services.database.threads.start(
          caller,
          space_id,
          {
            // One of a decision has its id, so that concurrent starts agree.
            ...(decision_id === undefined
              ? { threadId: uuidv7(), anchor: { parentEventId: parent_event_id } }
              : { threadId: asUuid(decision_id), anchor: { decisionId: decision_id } }),
            subject,
            postedBy: caller.actorId,
            createdAt: databaseClock.now(),
          },
          (space) => requireAcceptsEvents(space.status),
        )
        return presentThread(thread)
      },
    ),

  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'heavy',
      route: 'GET /api/spaces/{space_id}/threads',
      tags: ['Threads', 'Extensions'],
      summary: 'List the threads of a space, newest activity first',
      description:
        '`before` is a thread id, for those after it in this order. With `event_id`, only the thread with this id, or ' +
        'about this event or decision, if there is one.',
      returns:
        'threads, newest activity (start or event) first, each with `event_count` and `last_event` (null, or ' +
        '`event_id`, speaker and poster as in an event, `timestamp`, an `excerpt` of 200 characters, and its `files` that are not deleted)',
    })
    .input(ListThreads)
    .output(z.array(ActiveThread))
    .query(async ({ ctx: { caller, services, slot }, input: { space_id, limit, before, event_id } }) => {
      const space = await requireSpace(services, caller, space_id)
      const after = before === undefined ? null : await threadIdOf(services, caller, space_id, before)
      const threads = await services.database.activeThreads(slot.signal, space, {
        limit,
        after,
        about: event_id ?? null,
      })
      return threads.map(presentActiveThread)
    }),

  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/threads/{event_id}',
      tags: ['Threads'],
      summary: 'Get a thread with its events, ascending',
      description: "By its id, or its parent event's or decision's.",
      returns: "`{thread, events}`; these are in the space's history, too",
    })
    .input(FindThread)
    .output(ThreadWithEvents)
    .query(async ({ ctx: { caller, services }, input: { space_id, event_id } }) => {
      const { events, threads } = services.database
      const thread = await threads.find(caller, space_id, event_id)
      if (!thread) throw unknown('Thread')
      return RenderedOutput.pieces<z.infer<typeof ThreadWithEvents>>(
        events.threadPieces(thread, thread.threadId),
        `{"thread":${JSON.stringify(presentThread(thread))},"events":`,
        '}',
      )
    }),
})

/** 404 if the space has no such thread. */
async function threadIdOf({ database }: Services, viewer: Viewer, spaceId: string, id: string): Promise<string> {
  const thread = await database.threads.find(viewer, spaceId, id)
  if (!thread) throw unknown('Thread')
  return thread.threadId
}
