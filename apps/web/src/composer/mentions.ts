import type { Participant } from '@collab-spaces/client'

/** The words that are being typed after an @. */
export interface MentionQuery {
  /** Where the @ stands. */
  readonly from: number
  readonly words: string
}

const LONGEST = 40

/** The characters of words. In many scripts, vowels are marks; an accent may be one, too. */
const IN_WORD = String.raw`[\p{L}\p{M}\p{N}_]`
const ENDS_IN_WORD = new RegExp(`${IN_WORD}$`, 'u')

/** The mention that ends at the caret, if one is being typed there. An @ within a word, as in an address, begins none. */
export function mentionAt(text: string, caret: number): MentionQuery | null {
  const from = text.lastIndexOf('@', caret - 1)
  if (from === -1 || caret - from > LONGEST) return null
  // A character may take two code units.
  if (ENDS_IN_WORD.test(text.slice(Math.max(0, from - 2), from))) return null
  const words = text.slice(from + 1, caret)
  return /[\n@]|\s\s|^\s/.test(words) ? null : { from, words }
}

const MOST = 8

/** Participants who may be meant, and can answer: those whose name begins with the words come first. */
export function candidates(participants: readonly Participant[], words: string): readonly Participant[] {
  const wanted = words.toLowerCase()
  const rank = ({ name }: Participant) => {
    const lower = name.toLowerCase()
    if (lower.startsWith(wanted)) return 0
    return lower.split(/\s+/).some((word) => word.startsWith(wanted)) ? 1 : 2
  }
  return participants
    .filter((one) => rank(one) < 2 && !one.is_stopped)
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
    .slice(0, MOST)
}

/**
 * The ids of those who were chosen from the list and whose names still stand in the text. Whom else a text mentions is for
 * the server to say, as for everybody's texts; it cannot know which of two people of one name was chosen.
 */
export function stillMeant(text: string, chosen: readonly Participant[]): readonly string[] {
  if (chosen.length === 0) return []
  const named = [...text.matchAll(namePattern(chosen.map(({ name }) => name)))].map(([call]) => folded(call.slice(1)))
  const meant = chosen.filter(({ name }, at) => {
    const times = named.filter((one) => one === folded(name)).length
    // A wrong first choice of two has been deleted again: as many count as there are names, the last ones.
    const later = chosen.slice(at + 1).filter((other) => folded(other.name) === folded(name)).length
    return later < times
  })
  return [...new Set(meant.map(({ participant_id }) => participant_id))]
}

const folded = (name: string) => name.toLowerCase()

/** Finds `@name` for these names, longer ones first, so that `@Ada Lovelace` is not an Ada. */
export function namePattern(names: readonly string[]): RegExp {
  const alternatives = names.toSorted((a, b) => b.length - a.length).map(escapeName)
  return new RegExp(`(?<!${IN_WORD})@(?:${alternatives.join('|')})(?!${IN_WORD})`, 'giu')
}

const escapeName = (name: string) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
