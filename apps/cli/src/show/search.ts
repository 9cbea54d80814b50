import type { Match } from '@collab-spaces/client'
import { clean, cleanLine } from '../terminal/clean.js'
import { type Style, speakerStyle } from '../terminal/style.js'
import { relativeTime } from '../terminal/time.js'
import { indented } from './event.js'

/** Which spaces were searched: without one of these, those that the person has joined. */
interface Asked {
  readonly space_id?: string | undefined
  readonly linked_to?: string | undefined
}

export function listOfMatches(matches: readonly Match[], asked: Asked, style: Style, columns: number): string {
  if (matches.length === 0) return nothing(asked)
  return matches.map((match) => oneMatch(match, style, columns)).join('\n')
}

const nothing = ({ space_id, linked_to }: Asked): string =>
  (space_id ?? linked_to)
    ? 'Nothing is found'
    : 'Nothing is found in the spaces you have joined. In others: spaces search --space ID'

function oneMatch(match: Match, style: Style, columns: number): string {
  const head = [
    style.bold(match.space_id),
    speakerStyle(style, match.speaker_id)(cleanLine(match.speaker_name)),
    style.dim(relativeTime(match.timestamp)),
    style.dim(match.event_id),
  ]
  return `${head.join('  ')}\n${indented(highlighted(clean(match.snippet).trim(), style), columns)}`
}

/** The quotes around what was found are for where nothing can be bold. */
const highlighted = (snippet: string, style: Style) =>
  style.isColorSupported
    ? snippet.replace(/«([^«»]*)»/g, (_, found: string) => style.bold(style.yellow(found)))
    : snippet
