import { claimOf, type Spoken } from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import { type Style, speakerStyle } from '../terminal/style.js'

/** The poster of an event, in the colour and with the mark of their kind, before the speaker that it claims. */
export function posterIn(event: Spoken, style: Style): string[] {
  const claimed = claimedIn(event)
  return [
    speakerStyle(style, event.posted_by)(cleanLine(event.posted_by_name)),
    ...(event.posted_by_type === 'human' ? [] : [style.dim(`(${event.posted_by_type})`)]),
    ...(claimed === null ? [] : [style.dim(claimed)]),
  ]
}

/** The same in a few words, for a line that quotes the event. */
export const posterOf = (event: Spoken): string =>
  [cleanLine(event.posted_by_name), claimedIn(event)].filter((part) => part !== null).join(' ')

/** The speaker by what tells them from the poster: a name, an ID, or only a type. */
function claimedIn(event: Spoken): string | null {
  const claim = claimOf(event)
  if (claim === null) return null
  if (claim.name !== event.posted_by_name) return `as ${cleanLine(claim.name)}`
  return `as ${cleanLine(claim.id === event.posted_by ? claim.type : claim.id)}`
}
