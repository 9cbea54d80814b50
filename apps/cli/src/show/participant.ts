import type { Participant } from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import type { Style } from '../terminal/style.js'
import { table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

export const nobody = (spaceId: string) => `Nobody has joined yet. Join with: spaces space join ${spaceId}`

export function listOfMembers(spaceId: string, members: readonly Participant[], style: Style): string {
  if (members.length === 0) return nobody(spaceId)
  return table(
    style,
    ['member', 'name', 'type', 'adapter', 'joined'],
    members.map((member) => [
      member.participant_id,
      member.name,
      member.participant_type,
      member.agent_adapter ?? '-',
      relativeTime(member.joined_at),
    ]),
  )
}

/** What people are called, by their ids. */
export type Names = ReadonlyMap<string, string>

export const namesOf = (members: readonly Participant[]): Names =>
  new Map(members.map(({ participant_id, name }) => [participant_id, cleanLine(name)]))

/** A name where there is one: who never joined is known by an id alone. */
export const nameOf = (names: Names, id: string): string => names.get(id) ?? cleanLine(id)
