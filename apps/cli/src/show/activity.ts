import type { Activity } from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import { counted } from '../terminal/count.js'
import { type Style, speakerStyle } from '../terminal/style.js'
import { clockTime, relativeTime } from '../terminal/time.js'
import { excerpt } from './event.js'
import { noParticipants } from './participant.js'
import { posterOf } from './poster.js'

/** The length of a line where the output is no terminal. */
const DEFAULT_COLUMNS = 100

export function digest({ space_id, since, participants }: Activity, style: Style): string {
  const window = style.dim(`${space_id} since ${clockTime(since)}`)
  if (participants.length === 0) return `${window}\n${noParticipants(space_id)}`
  return [window, ...participants.map((participant) => oneSpeaker(participant, style))].join('\n')
}

function oneSpeaker(participant: Activity['participants'][number], style: Style): string {
  const { participant_id, name, participant_type, is_claimed, event_count, last_event_at, events } = participant
  const said = event_count === 0 ? 'no events' : `${counted(event_count, 'event')}, last ${relativeTime(last_event_at)}`
  const type = participant_type === 'human' ? '' : style.dim(` (${cleanLine(participant_type)})`)
  const shown = is_claimed ? `as ${cleanLine(name)}` : speakerStyle(style, participant_id)(cleanLine(name))
  const head = `${shown}${type}  ${said}`
  const lines = events.map((event) => {
    const time = clockTime(event.timestamp)
    const text = event.posted_by === participant_id ? event.text : `${posterOf(event)}: ${event.text}`
    const room = (Number.isFinite(style.columns) ? style.columns : DEFAULT_COLUMNS) - time.length - 4
    return `  ${style.dim(time)}  ${excerpt(text, Math.max(room, 20))}`
  })
  return [head, ...lines].join('\n')
}
