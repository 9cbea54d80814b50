import { hasMention, type Mentionable, NameIndex, withMentionsFrom } from '@collab-spaces/domain'
import { Slices } from '@collab-spaces/fair'
import type { Caller } from '../procedure/credential.js'
import type { Event } from '../schemas/event.js'
import type { Services } from '../services.js'
import type { SentEvent } from './append.js'

/** Adds the mentions in the text of an event. 400 for too many, or for malformed `mentions`. */
export function withMentions(services: Services, caller: Caller, event: Event): Promise<Event> {
  return mentionerOf(services, caller, event.space_id)(event)
}

/** Does the same for the events of a batch that request it. The names of their space are read once. */
export async function eachWithMentions(
  services: Services,
  caller: Caller,
  spaceId: string,
  batch: readonly SentEvent[],
): Promise<readonly SentEvent[]> {
  if (!batch.some(({ resolvesMentions: asks }) => asks)) return batch
  const mention = mentionerOf(services, caller, spaceId)
  const slices = new Slices()
  const result: SentEvent[] = []
  for (const sent of batch) {
    result.push(sent.resolvesMentions ? { ...sent, event: await mention(sent.event) } : sent)
    await slices.next()
  }
  return result
}

function mentionerOf({ database }: Services, caller: Caller, spaceId: string): (event: Event) => Promise<Event> {
  let names: NameIndex | undefined
  return async (event) => {
    if (!hasMention(event.text)) return event
    names ??= await namesOf(await database.participants.mentionable(caller, spaceId))
    return { ...event, metadata: withMentionsFrom(event.metadata, event.text, names) }
  }
}

/** This many names take a millisecond or two to index. */
const NAMES_PER_STEP = 200

/** Indexes the names of actors that a text can mention. */
export async function namesOf(people: readonly Mentionable[]): Promise<NameIndex> {
  const names = new NameIndex()
  const slices = new Slices()
  for (let start = 0; start < people.length; start += NAMES_PER_STEP) {
    names.add(people.slice(start, start + NAMES_PER_STEP))
    await slices.next()
  }
  return names
}
