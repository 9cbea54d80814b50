import type { Event, Participant, Receipt } from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import type { Style } from '../terminal/style.js'
import { relativeTime, timeOfDay } from '../terminal/time.js'
import { Conversation } from './event.js'

interface Shown {
  readonly event: Event
  readonly receipts: readonly Receipt[]
}

/** An event, and under it a line for each actor that it addresses. */
export function eventWithReceipts(
  { event, receipts }: Shown,
  participants: readonly Participant[],
  style: Style,
): string {
  const conversation = new Conversation({ style, participants })
  const nameOf = (id: string) => participants.find(({ participant_id }) => participant_id === id)?.name ?? id
  const lines = receipts.map((receipt) => `       ${cleanLine(nameOf(receipt.actor_id))}: ${stateInWords(receipt)}`)
  return [conversation.one(event), ...lines].join('\n')
}

function stateInWords({ state, since, by_event_id, claim, done, reason, last_seen_at }: Receipt): string {
  switch (state) {
    case 'unreachable':
      return last_seen_at === null ? 'unreachable, never seen' : `unreachable, last seen ${relativeTime(last_seen_at)}`
    case 'working':
      return [`working until ${timeOfDay(claim?.expires_at ?? '')}`, claim?.progress]
        .filter(Boolean)
        .map((part) => cleanLine(String(part)))
        .join(': ')
    case 'answered':
      return `answered by ${by_event_id}`
    case 'declined':
      return reason === null ? 'declined' : `declined: ${cleanLine(reason)}`
    case 'seen':
      return done
        ? 'marked as done without an answer'
        : ['seen', since && relativeTime(since)].filter(Boolean).join(' ')
    default:
      return since === null ? state : `${state} since ${relativeTime(since)}`
  }
}
