import type { Event, Participant, Receipt } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { lines, type StyledText, styled, type Text } from '../terminal/styled.js'
import { relativeTime, timeOfDay } from '../terminal/time.js'
import { Conversation } from './event.js'

interface EventReceipts {
  readonly event: Event
  /** Its corrections and its retraction. */
  readonly revisions: readonly Event[]
  readonly receipts: readonly Receipt[]
}

/** An event, and under it a line for each actor that it addresses, and each text that it had. */
export function eventWithReceipts(
  { event, revisions, receipts }: EventReceipts,
  participants: readonly Participant[],
  style: Style,
): StyledText {
  const conversation = new Conversation({ style, participants })
  const nameOf = (id: string) => participants.find(({ participant_id }) => participant_id === id)?.name ?? id
  const states = receipts.map((receipt) => styled`       ${nameOf(receipt.actor_id)}: ${stateText(receipt)}`)
  return lines([conversation.one(event), ...states, ...historyOf(event, revisions)])
}

function historyOf(event: Event, revisions: readonly Event[]): Text[] {
  if (revisions.length === 0) return []
  return ['       History', ...[event, ...revisions].map(({ timestamp, text }) => `       ${timestamp}  ${text}`)]
}

function stateText({ state, since, by_event_id, claim, done, reason, last_seen_at }: Receipt): Text {
  switch (state) {
    case 'unreachable':
      return last_seen_at === null ? 'unreachable' : `unreachable, last seen ${relativeTime(last_seen_at)}`
    case 'working':
      return [`working until ${timeOfDay(claim?.expires_at ?? '')}`, claim?.progress].filter(Boolean).join(': ')
    case 'answered':
      return `answered by ${by_event_id}`
    case 'declined':
      return reason === null ? 'declined' : `declined: ${reason}`
    case 'seen':
      return done
        ? 'marked as done without an answer'
        : ['seen', since && relativeTime(since)].filter(Boolean).join(' ')
    default:
      return since === null ? state : `${state} since ${relativeTime(since)}`
  }
}
