import type { ThreadRecord } from '@collab-spaces/db'
import type { z } from 'zod'
import type { Thread } from '../schemas/thread.js'

export const presentThread = (thread: ThreadRecord): z.infer<typeof Thread> => ({
  thread_id: thread.threadId,
  space_id: thread.spaceId,
  parent_event_id: thread.parentEventId,
  subject: thread.subject,
  created_at: thread.createdAt.toISOString(),
})
