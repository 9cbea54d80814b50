import { asUuid, type Mention, type Speaker } from '@collab-spaces/domain'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { Caller } from '../procedure/credential.js'
import type { AppendEvent, Event, Mentions, Response } from '../schemas/event.js'

/** The event fields of a request. */
export type EventInput = Omit<z.output<typeof Response>, 'idempotency_key' | 'claim'> &
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
})

/** No text contains this, as quotes in it are escaped. */
const NO_TIME = ',"timestamp":""'

/** Renders an event's JSON once, when it is written: the parts before and after its time. */
export function renderEvent(event: Event): readonly [before: string, after: string] {
  const json = JSON.stringify(event)
  const time = json.indexOf(NO_TIME) + NO_TIME.length - 1
  return [json.slice(0, time), json.slice(time)]
}

export function presentMentions(found: readonly Mention[]): z.infer<typeof Mentions> {
  const shown: z.infer<typeof Mentions> = { mentions: [], unclear: [] }
  for (const { name, people } of found) {
    const [one, another] = people
    if (one && !another) shown.mentions.push({ name, participant_id: one.id })
    else shown.unclear.push({ name, participant_ids: people.map(({ id }) => id) })
  }
  return shown
}
