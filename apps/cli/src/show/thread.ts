import { type ActiveThread, excerptText, type RouterOutputs, type Thread } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { joined, type Text } from '../terminal/styled.js'
import { fields, numberedTable } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { Conversation, excerpt } from './event.js'
import { posterOf } from './poster.js'

type ThreadWithEvents = RouterOutputs['thread']['get']

export const oneThread = (thread: Thread, style: Style): Text =>
  fields(style, [
    ['thread', style.bold(thread.thread_id)],
    ['subject', thread.subject],
    ['event', thread.parent_event_id],
    ['decision', thread.decision_id ?? null],
    ['started', relativeTime(thread.created_at)],
  ])

export function listOfThreads(spaceId: string, threads: readonly ActiveThread[], style: Style): Text {
  if (threads.length === 0)
    return `No threads in ${spaceId}. Start one: spaces thread start ${spaceId} EVENT --subject TEXT`
  return numberedTable(style, threads, {
    thread: ({ thread_id }) => thread_id,
    subject: ({ subject }) => excerpt(subject, LONGEST_SUBJECT),
    events: ({ event_count }) => String(event_count),
    'last event': ({ last_event }) => relativeTime(last_event?.timestamp ?? null),
    said: ({ last_event }) =>
      last_event ? excerpt(`${posterOf(last_event)}: ${excerptText({ ...last_event, text: last_event.excerpt })}`) : '',
  })
}

/** In a table, in characters. */
const LONGEST_SUBJECT = 30

export function conversationIn({ thread, events }: ThreadWithEvents, style: Style): Text {
  const conversation = new Conversation({ style, subjectOf: () => thread.subject })
  const empty = `No events in this thread yet. Say something: spaces say ${thread.space_id} --thread ${thread.thread_id} TEXT`
  return joined([oneThread(thread, style), events.length > 0 ? conversation.all(events) : empty], '\n\n')
}
