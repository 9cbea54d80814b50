import type { Event, RouterOutputs, Thread } from '@collab-spaces/client'
import { clean, cleanLine } from '../terminal/clean.js'
import { type Style, speakerStyle } from '../terminal/style.js'
import { fields } from '../terminal/table.js'
import { clockTime, relativeTime } from '../terminal/time.js'

type ThreadWithEvents = RouterOutputs['thread']['get']

export const oneThread = (thread: Thread, style: Style): string =>
  fields(style, [
    ['thread', style.bold(thread.thread_id)],
    ['subject', cleanLine(thread.subject)],
    ['on event', thread.parent_event_id],
    ['started', relativeTime(thread.created_at)],
  ])

export function threadWithEvents({ thread, events }: ThreadWithEvents, style: Style): string {
  const said = events.map((event) => oneEvent(event, style)).join('\n')
  const first = `Nothing was said in it yet. Begin with: spaces say ${thread.space_id} --thread ${thread.thread_id} TEXT`
  return `${oneThread(thread, style)}\n\n${said || first}`
}

const oneEvent = (event: Event, style: Style) =>
  `${style.dim(clockTime(event.timestamp))}  ${speakerStyle(style, event.speaker_id)(cleanLine(event.speaker_name))}  ${clean(event.text)}`
