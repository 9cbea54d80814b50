import { actorRouter } from './routers/actor.js'
import { eventRouter } from './routers/event.js'
import { participantRouter } from './routers/participant.js'
import { spaceRouter } from './routers/space.js'
import { threadRouter } from './routers/thread.js'
import { router } from './trpc.js'

/** Every operation of the service, under its noun. Clients import its type. */
export const appRouter = router({
  actor: actorRouter,
  space: spaceRouter,
  participant: participantRouter,
  event: eventRouter,
  thread: threadRouter,
})

export type AppRouter = typeof appRouter
