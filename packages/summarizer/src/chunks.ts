import { cutText } from '@collab-spaces/domain'
import { dataLine } from './data.js'
import { type SummarizedEvent, voiceOf } from './event.js'
import type { Labels } from './labels.js'
import { approximateTokens, tokenWeight } from './tokens.js'

/** A run of events that fits a model's context, as lines of data. */
export interface Chunk {
  readonly lines: readonly string[]
  readonly tokens: number
}

/** The minimum for a line, which has a label, a speaker and a time besides its text. */
const MIN_TOKENS = 500

/**
 * Divides events into chunks of at most `tokens` tokens, in their order. Only one chunk is in memory at a time. A
 * message that is longer than a chunk is continued in further lines with the same label.
 *
 * @throws RangeError for less than 500 tokens, which would not hold a line
 */
export async function* chunksOf(
  events: Iterable<SummarizedEvent> | AsyncIterable<SummarizedEvent>,
  labels: Labels,
  tokens: number,
): AsyncGenerator<Chunk> {
  if (tokens < MIN_TOKENS) throw new RangeError(`a chunk needs ${MIN_TOKENS} tokens, not ${tokens}`)
  let lines: string[] = []
  let used = 0
  for await (const event of events) {
    for (const line of linesOf(event, labels, tokens)) {
      const cost = approximateTokens(line) + 1
      if (used + cost > tokens && lines.length > 0) {
        yield { lines, tokens: used }
        lines = []
        used = 0
      }
      lines.push(line)
      used += cost
    }
  }
  if (lines.length > 0) yield { lines, tokens: used }
}

function* linesOf(event: SummarizedEvent, labels: Labels, tokens: number): Generator<string> {
  const { timestamp, text, parent_event_id } = event
  const { name, as, type } = voiceOf(event)
  const parent = parent_event_id === null ? null : labels.known(parent_event_id)
  const head = {
    id: labels.event(event.event_id),
    at: timestamp,
    by: shortName(name),
    type,
    ...(as === null ? {} : { as: shortName(as) }),
    ...(parent === null ? {} : { replies_to: parent }),
  }
  const room = tokens - approximateTokens(dataLine({ ...head, text: '' })) - 1
  for (const part of partsOf(text, room)) yield dataLine({ ...head, text: part })
}

const shortName = (name: string) => cutText(name, 60).toWellFormed()

/** Splits a text into parts of at most `room` tokens as JSON. */
function partsOf(text: string, room: number): string[] {
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const character of text) {
    const cost = tokenWeight(escapedCharacter(character))
    if (used + cost > room) {
      parts.push(part)
      part = ''
      used = 0
    }
    part += character
    used += cost
  }
  parts.push(part)
  return parts
}

const escapedCharacter = (character: string) =>
  /[ \w]/.test(character) ? character : dataLine([character]).slice(2, -2)
