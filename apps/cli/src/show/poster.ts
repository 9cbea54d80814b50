import { type AttributedSpeaker, attributionInWords, posterInWords } from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import { type Style, speakerStyle } from '../terminal/style.js'
import type { StyledText } from '../terminal/styled.js'

/** The poster of an event, in the colour and with the mark of its kind, before the speaker that it names. */
export function posterIn(event: AttributedSpeaker, style: Style): StyledText[] {
  const attribution = attributionInWords(event)
  return [
    speakerStyle(style, event.posted_by)(event.posted_by_name),
    ...(event.posted_by_type === 'human' ? [] : [style.dim(`(${event.posted_by_type})`)]),
    ...(attribution === null ? [] : [style.dim(attribution)]),
  ]
}

/** The same in a few words, for a line that quotes the event. */
export const posterOf = (event: AttributedSpeaker): string => cleanLine(posterInWords(event))
