import { findMentions, foldName, NameIndex, type Participant } from '@collab-spaces/client'

const MAX_CANDIDATES = 8

/**
 * Lists the participants that typed words can mean and that can answer. Those whose name begins with the words come before
 * those of whose name a later word does.
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
 * Returns the ids of the participants that were chosen from the list and whose names are still in the text. The server finds
 * the other mentions, but cannot know which of two participants of one name was chosen.
 */
export function stillMeant(text: string, chosen: readonly Participant[]): readonly string[] {
  if (chosen.length === 0) return []
  const names = indexOf(chosen)
  const written = findMentions(text, names).map(({ name }) => foldName(name))
  const meant = chosen.filter(({ name }, at) => {
    const form = foldName(name)
    const times = written.filter((one) => one === form).length
    // A wrong first choice was deleted again: the last choices count, one for each time that the name is in the text.
    const later = chosen.slice(at + 1).filter((other) => foldName(other.name) === form).length
    return later < times
  })
  return [...new Set(meant.map(({ participant_id }) => participant_id))]
}

const indexOf = (participants: readonly Participant[]) =>
  new NameIndex().add(participants.map(({ participant_id, name }) => ({ id: participant_id, name })))
