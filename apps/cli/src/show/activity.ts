import { type Activity, excerptText, shownTime } from '@collab-spaces/client'
import { counted } from '../terminal/prose.js'
import { type Style, speakerStyle } from '../terminal/style.js'
import { lines, type StyledText, styled } from '../terminal/styled.js'
import { clockTime, relativeTime } from '../terminal/time.js'
import { excerpt } from './event.js'
import { noParticipants } from './participant.js'
import { posterOf } from './poster.js'

/** The length of a line where the output is no terminal. */
const DEFAULT_COLUMNS = 100

export function digest({ space_id, since, participants }: Activity, style: Style): StyledText {
  const window = style.dim(`${space_id} since ${clockTime(since)}`)
  if (participants.length === 0) return lines([window, noParticipants(space_id)])
  return lines([window, ...participants.map((participant) => oneSpeaker(participant, style))])
}

function oneSpeaker(participant: Activity['participants'][number], style: Style): StyledText {
  const { participant_id, name, participant_type, is_claimed, event_count, last_event_at, events } = participant
  const summary =
    event_count === 0 ? 'no events' : `${counted(event_count, 'event')}, last ${relativeTime(last_event_at)}`
  const type = participant_type === 'human' ? '' : style.dim(styled` (${participant_type})`)
  // Anyone may speak under an ID: events are its actor's only if that actor posted one of them.
  const isActor = !is_claimed && (events.length === 0 || events.some(({ posted_by }) => posted_by === participant_id))
  const last = isActor ? undefined : events.at(-1)
  const shown = last ? posterOf(last) : styled`${speakerStyle(style, participant_id)(name)}${type}`
  const head = styled`${shown}  ${summary}`
  const shownEvents = events.map((event) => {
    const time = clockTime(shownTime(event))
    const isOfHead = last ? posterOf(event) === posterOf(last) : event.posted_by === participant_id
    const text = isOfHead ? excerptText(event) : `${posterOf(event)}: ${excerptText(event)}`
    const room = (Number.isFinite(style.columns) ? style.columns : DEFAULT_COLUMNS) - time.length - 4
    return styled`  ${style.dim(time)}  ${excerpt(text, Math.max(room, 20))}`
  })
  return lines([head, ...shownEvents])
}
