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
    ['on event', thread.parent_event_id],
    ['started', relativeTime(thread.created_at)],
  ])

export function conversationIn({ thread, events }: ThreadWithEvents, screen: Screen): string {
  const said = new Conversation({ screen, members: [], actorId: null }).all(events)
  const first = `Nothing was said in it yet. Begin with: spaces say ${thread.space_id} --thread ${thread.thread_id} TEXT`
  return `${oneThread(thread, screen.style)}\n\n${said || first}`
}
