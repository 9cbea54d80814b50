import { callsSomebody, type NameIndex, nameIndex, withMentionsFrom } from '@collab-spaces/domain'
import type { Caller } from '../procedure/credential.js'
import type { Services } from '../services.js'
import type { EventInput } from './append.js'

/**
 * Adds to an event the mentions of those whom its text calls by name. The names of a space are read once for all events
 * of a request. Throws for mentions that are too many or of the wrong form (400).
 */
export function mentionerOf(
  { database }: Services,
  caller: Caller,
  spaceId: string,
): (event: EventInput) => Promise<EventInput> {
  let names: Promise<NameIndex> | undefined
  return async (event) => {
    if (!callsSomebody(event.text)) return event
    names ??= database.reads.run(caller, () => database.participants.callable(caller.scope, spaceId)).then(nameIndex)
    return { ...event, metadata: withMentionsFrom(event.metadata, event.text, await names) }
  }
}
