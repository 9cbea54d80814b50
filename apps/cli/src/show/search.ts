import {
  type DecisionMatch,
  EDITED_MARK,
  excerptParts,
  type Match,
  namesInWords,
  shownTime,
} from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import type { Style } from '../terminal/style.js'
import { body, joined, lines, replaced, type StyledText, type Text } from '../terminal/styled.js'
import { relativeTime } from '../terminal/time.js'
import { indented } from './event.js'
import { posterIn } from './poster.js'

/** Which spaces are searched; by default, those the person has joined. */
interface Scope {
  readonly space_id?: string | undefined
  readonly linked_to?: string | undefined
}

export function listOfMatches(matches: readonly Match[], scope: Scope, style: Style): Text {
  if (matches.length === 0) return noResults(scope)
  return lines(matches.map((match) => oneMatch(match, style)))
}

export function listOfFoundDecisions(decisions: readonly DecisionMatch[], style: Style): Text {
  if (decisions.length === 0) return 'No decisions'
  return lines(
    decisions.map(({ space_id, status, created_at, decision_id, text }) =>
      lines([
        joined([style.bold(space_id), status, style.dim(relativeTime(created_at)), style.dim(decision_id)], '  '),
        indented(body(text), style),
      ]),
    ),
  )
}

const noResults = ({ space_id, linked_to }: Scope): string =>
  (space_id ?? linked_to)
    ? 'No results'
    : 'No results in the spaces you have joined. Search another one: spaces search QUERY --space ID'

function oneMatch(match: Match, style: Style): StyledText {
  const head = [
    style.bold(match.space_id),
    ...posterIn(match, style),
    style.dim(relativeTime(shownTime(match))),
    ...(match.corrects === undefined ? [] : [style.dim(EDITED_MARK)]),
    style.dim(match.event_id),
  ]
  return lines([
    joined(head, '  '),
    indented(highlighted(match.snippet.trim(), style), style),
    ...fileOf(match, style).map((file) => indented(file, style)),
  ])
}

/** The file in which the match is, or those that little text comes with. */
function fileOf(match: Match, style: Style): readonly Text[] {
  if (match.matched_file !== undefined) return [foundIn(match.matched_file, style)]
  const { files } = excerptParts(match)
  return files === null ? [] : [style.dim(`+ ${cleanLine(namesInWords(files))}`)]
}

/** The file in which the match is, as those of events are shown, and the part of its text. */
function foundIn({ name, snippet }: NonNullable<Match['matched_file']>, style: Style): Text {
  const file = style.dim(`+ ${cleanLine(name)}`)
  return snippet === null ? file : joined([file, highlighted(snippet.trim().replace(/\s+/g, ' '), style)], '  ')
}

/** Matches are in quotes where there is no bold type. */
const highlighted = (snippet: string, style: Style) =>
  style.isColorSupported
    ? replaced(snippet, /«([^«»]*)»/g, (_, found = '') => style.bold(style.yellow(found)))
    : body(snippet)
