import type { ActiveThread as ActiveThreadRecord, ThreadRecord } from '@collab-spaces/db'
import type { z } from 'zod'
import type { ActiveThread, Thread } from '../schemas/thread.js'

export const presentThread = (thread: ThreadRecord): z.infer<typeof Thread> => ({
  thread_id: thread.threadId,
  space_id: thread.spaceId,
  parent_event_id: thread.parentEventId,
  subject: thread.subject,
  created_at: thread.createdAt.toISOString(),
  ...(thread.decisionId !== null && { decision_id: thread.decisionId }),
})

export const presentActiveThread = ({ lastEvent, ...thread }: ActiveThreadRecord): z.infer<typeof ActiveThread> =>
  Object.assign(presentThread(thread), {
    event_count: thread.eventCount,
    last_event: lastEvent && {
      event_id: lastEvent.eventId,
      speaker_id: lastEvent.speakerId,
      speaker_name: lastEvent.speakerName,
      speaker_type: lastEvent.speakerType,
      posted_by: lastEvent.postedBy,
      posted_by_name: lastEvent.postedByName,
      posted_by_type: lastEvent.postedByType,
      timestamp: lastEvent.occurredAt.toISOString(),
      excerpt: lastEvent.excerpt,
      ...(lastEvent.files.length > 0 && { files: [...lastEvent.files] }),
    },
  })
