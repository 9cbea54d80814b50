import { asUuid, type Mention, type Speaker } from '@collab-spaces/domain'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { Caller } from '../procedure/credential.js'
import type { AppendEvent, Event, Mentions, Response } from '../schemas/event.js'

/** The event fields of a request. */
export type EventInput = Omit<z.output<typeof Response>, 'decision_id' | 'idempotency_key' | 'claim'> &
  Partial<Pick<z.output<typeof Response>, 'decision_id'>> &
  Partial<Pick<z.output<typeof AppendEvent>, 'idempotency_key' | 'claim' | 'references'>>

/** Returns the event of an input, with its fields in the order of responses. The log sets the time. */
export const eventOf = (caller: Caller, input: EventInput, speaker: Speaker): Event => ({
  event_id: uuidv7(),
  space_id: input.space_id,
  speaker_id: speaker.id,
  speaker_name: speaker.name,
  speaker_type: speaker.type,
  text: input.text,
  timestamp: '',
  parent_event_id: input.parent_event_id === undefined ? null : asUuid(input.parent_event_id),
  references: input.references ?? [],
  thread_id: input.thread_id === undefined ? null : asUuid(input.thread_id),
  metadata: input.metadata ?? null,
  posted_by: caller.actorId,
  posted_by_name: caller.displayName,
  posted_by_type: caller.actorType,
  ...(input.corrects !== undefined && { corrects: asUuid(input.corrects) }),
  ...(input.retracts !== undefined && { retracts: asUuid(input.retracts) }),
  ...(input.occurred_at !== undefined && { occurred_at: input.occurred_at }),
})

/** Matches only the empty timestamp, as quotes within strings of JSON are escaped. */
const EMPTY_TIMESTAMP = ',"timestamp":""'

/** Renders an event as JSON in two parts; the log inserts the timestamp between them. */
export function renderEvent(event: Event): readonly [before: string, after: string] {
  const json = JSON.stringify(event)
  const index = json.indexOf(EMPTY_TIMESTAMP) + EMPTY_TIMESTAMP.length - 1
  return [json.slice(0, index), json.slice(index)]
}

export function presentMentions(found: readonly Mention[]): z.infer<typeof Mentions> {
  const shown: z.infer<typeof Mentions> = { mentions: [], unclear: [] }
  for (const { name, people } of found) {
    const [match, otherMatch] = people
    if (match && !otherMatch) shown.mentions.push({ name, participant_id: match.id })
    else shown.unclear.push({ name, participant_ids: people.map(({ id }) => id) })
  }
  return shown
}
