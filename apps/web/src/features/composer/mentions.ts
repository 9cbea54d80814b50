import { findMentions, foldName, NameIndex, type OpenMention, type Participant } from '@collab-spaces/client'
import type { Edit } from '../../shared/browser/edit'

const MAX_CANDIDATES = 8

/**
 * Returns the participants that match the typed words and are not stopped. Names that begin with the words come before
 * names with a later matching word, then people before agents. The writer is last.
 */
export function candidates(
  participants: readonly Participant[],
  typed: string,
  writerId: string,
): readonly Participant[] {
  const wanted = foldName(typed) + (/\s$/.test(typed) ? ' ' : '')
  const rank = (name: string) => {
    const form = foldName(name)
    if (form.startsWith(wanted)) return 0
    return form.split(' ').some((word) => word.startsWith(wanted)) ? 1 : 2
  }
  const group = ({ actor_id, participant_type }: Participant) =>
    actor_id === writerId ? 2 : participant_type === 'human' ? 0 : 1
  return participants
    .filter(({ name, is_stopped }) => rank(name) < 2 && !is_stopped)
    .toSorted(
      (a, b) =>
        Number(group(a) === 2) - Number(group(b) === 2) ||
        rank(a.name) - rank(b.name) ||
        group(a) - group(b) ||
        a.name.localeCompare(b.name),
    )
    .slice(0, MAX_CANDIDATES)
}

/**
 * Returns the IDs of participants that were selected from the list and whose names are still in the text. The server
 * finds the other mentions, but cannot tell apart two participants with the same name.
 */
export function remainingMentions(text: string, selected: readonly Participant[]): readonly string[] {
  if (selected.length === 0) return []
  const names = indexOf(selected)
  const written = findMentions(text, names).map(({ name }) => foldName(name))
  const meant = selected.filter(({ name }, at) => {
    const form = foldName(name)
    const times = written.filter((one) => one === form).length
    // The last choices count, one for each occurrence of the name: an earlier, wrong choice was deleted.
    const later = selected.slice(at + 1).filter((other) => foldName(other.name) === form).length
    return later < times
  })
  return [...new Set(meant.map(({ participant_id }) => participant_id))]
}

/** What follows a name without a blank. */
const CLOSING = /^[\p{Pe}\p{Pf}.,;:!?'…。，、；：！？」』】）]/u

/** Returns the change that selects a participant for the open mention. */
export function completed(text: string, { from, typed }: OpenMention, name: string): Completed {
  const to = from + 1 + typed.length
  const insert = `@${name}`
  if (CLOSING.test(text.slice(to))) return { change: { from, to, insert }, blankAt: null }
  const isBlank = text[to] === ' '
  return { change: { from, to: isBlank ? to + 1 : to, insert: `${insert} ` }, blankAt: from + insert.length }
}

interface Completed {
  readonly change: Edit
  /** The position of the blank that was added after the name; null if none was. */
  readonly blankAt: number | null
}

/** Returns whether punctuation was typed after the blank at a position: "@Ada ." becomes "@Ada.". */
export const isClosedAfter = (text: string, blankAt: number, caret: number): boolean =>
  caret === blankAt + 2 && text[blankAt] === ' ' && CLOSING.test(text.slice(blankAt + 1))

const indexOf = (participants: readonly Participant[]) =>
  new NameIndex().add(participants.map(({ participant_id, name }) => ({ id: participant_id, name })))
