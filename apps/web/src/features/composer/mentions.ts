import {
  findMentions,
  foldName,
  type Mentionable,
  NameIndex,
  type OpenMention,
  type Participant,
} from '@collab-spaces/client'
import type { Edit } from '../../shared/browser/edit'

const MAX_CANDIDATES = 8

/** A participant, or a member of the tenant who is none. */
export interface MentionCandidate
  extends Pick<Participant, 'participant_id' | 'actor_id' | 'name' | 'participant_type' | 'is_stopped'> {
  /** A mention of a member who is no participant reaches them only once they are added. */
  readonly isOutside?: boolean
}

/**
 * Returns the candidates that match the typed words and are not stopped: participants before other members. Names that
 * begin with the words come before names with a later matching word, then people before agents. The writer is last.
 */
export function candidates<Candidate extends MentionCandidate>(
  participants: readonly Candidate[],
  typed: string,
  writerId: string,
): readonly Candidate[] {
  const wanted = foldName(typed) + (/\s$/.test(typed) ? ' ' : '')
  const rank = (name: string) => {
    const form = foldName(name)
    if (form.startsWith(wanted)) return 0
    return form.split(' ').some((word) => word.startsWith(wanted)) ? 1 : 2
  }
  const group = ({ actor_id, participant_type }: Candidate) =>
    actor_id === writerId ? 2 : participant_type === 'human' ? 0 : 1
  return participants
    .filter(({ name, is_stopped, isOutside }) => rank(name) < 2 && !is_stopped && !(isOutside && wanted === ''))
    .toSorted(
      (a, b) =>
        Number(a.isOutside ?? false) - Number(b.isOutside ?? false) ||
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
export function remainingMentions(text: string, selected: readonly MentionCandidate[]): readonly string[] {
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
export function completed(text: string, { from, typed }: OpenMention, name: string): Completion {
  const to = from + 1 + typed.length
  const insert = `@${name}`
  if (CLOSING.test(text.slice(to))) return { change: { from, to, insert }, blankAt: null }
  const isBlank = text[to] === ' '
  return { change: { from, to: isBlank ? to + 1 : to, insert: `${insert} ` }, blankAt: from + insert.length }
}

interface Completion {
  readonly change: Edit
  /** The position of the blank that was added after the name; null if none was. */
  readonly blankAt: number | null
}

/** Returns whether punctuation was typed after the blank at a position: "@Ada ." becomes "@Ada.". */
export const isClosedAfter = (text: string, blankAt: number, caret: number): boolean =>
  caret === blankAt + 2 && text[blankAt] === ' ' && CLOSING.test(text.slice(blankAt + 1))

/**
 * Returns the one member outside of a space that a text mentions by a name which fits no participant. The name may be
 * only the first word.
 */
export function outsiderNamed<Member extends Mentionable>(
  text: string,
  name: string,
  outsiders: readonly Member[],
): Member | null {
  const form = foldName(name)
  const found = findMentions(text, new NameIndex().add(outsiders)).find((mention) => {
    const whole = foldName(mention.name)
    return whole === form || whole.startsWith(`${form} `)
  })
  const [one, ...others] = found?.people ?? []
  return others.length === 0 ? (outsiders.find(({ id }) => id === one?.id) ?? null) : null
}

const indexOf = (participants: readonly MentionCandidate[]) =>
  new NameIndex().add(participants.map(({ participant_id, name }) => ({ id: participant_id, name })))
