import type { RouterOutputs, Thread } from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import type { Style } from '../terminal/style.js'
import { fields } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { Conversation, type Reader } from './event.js'

export const oneThread = (thread: Thread, style: Style): string =>
  fields(style, [
    ['thread', style.bold(thread.thread_id)],
    ['subject', cleanLine(thread.subject)],
    ['on event', thread.parent_event_id],
    ['started', relativeTime(thread.created_at)],
  ])

export function threadWithEvents({ thread, events }: RouterOutputs['thread']['get'], reader: Reader): string {
  const { space_id, thread_id } = thread
  const said = new Conversation(reader).all(events)
  const nothing = `Nothing was said in it yet. Begin with: spaces say ${space_id} --thread ${thread_id} "Hello"`
  return `${oneThread(thread, reader.screen.style)}\n\n${said || nothing}`
}
