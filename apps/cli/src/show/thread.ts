import type { RouterOutputs, Thread } from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import type { Style } from '../terminal/style.js'
import { fields } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { Conversation, type Screen } from './event.js'

type ThreadWithEvents = RouterOutputs['thread']['get']

export const oneThread = (thread: Thread, style: Style): string =>
  fields(style, [
    ['thread', style.bold(thread.thread_id)],
    ['subject', cleanLine(thread.subject)],
    ['event', thread.parent_event_id],
    ['started', relativeTime(thread.created_at)],
  ])

export function conversationIn({ thread, events }: ThreadWithEvents, screen: Screen): string {
  const conversation = new Conversation({ screen, participants: [], actorId: null }).all(events)
  const empty = `No events in this thread yet. Say something: spaces say ${thread.space_id} --thread ${thread.thread_id} TEXT`
  return `${oneThread(thread, screen.style)}\n\n${conversation || empty}`
}
