import { findMentions, foldName, NameIndex, type Participant } from '@collab-spaces/client'

const MAX_CANDIDATES = 8

/**
 * Returns the participants that match the typed words and are not stopped. Names that begin with the words come before
 * names with a later matching word.
 */
export function candidates(participants: readonly Participant[], typed: string): readonly Participant[] {
  const wanted = foldName(typed) + (/\s$/.test(typed) ? ' ' : '')
  const rank = (name: string) => {
    const form = foldName(name)
    if (form.startsWith(wanted)) return 0
    return form.split(' ').some((word) => word.startsWith(wanted)) ? 1 : 2
  }
  return participants
    .filter(({ name, is_stopped }) => rank(name) < 2 && !is_stopped)
    .toSorted((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name))
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

const indexOf = (participants: readonly Participant[]) =>
  new NameIndex().add(participants.map(({ participant_id, name }) => ({ id: participant_id, name })))
