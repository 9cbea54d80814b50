import type { Participant } from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

export const noParticipants = (spaceId: string) => `No participants yet. Join it: spaces space join ${spaceId}`

export function listOfParticipants(spaceId: string, participants: readonly Participant[], style: Style): Text {
  if (participants.length === 0) return noParticipants(spaceId)
  return table(style, participants, {
    participant: ({ participant_id }) => participant_id,
    name: ({ name }) => name,
    type: ({ participant_type }) => participant_type,
    here: ({ is_present }) => (is_present ? 'now' : '-'),
    adapter: ({ agent_adapter }) => agent_adapter ?? '-',
    joined: ({ joined_at }) => relativeTime(joined_at),
  })
}

/** Names of participants, by their IDs. */
export type Names = ReadonlyMap<string, string>

export const namesOf = (participants: readonly Participant[]): Names =>
  new Map(participants.map(({ participant_id, name }) => [participant_id, cleanLine(name)]))

/** The name of an actor, or the ID of one who never joined. */
export const nameOf = (names: Names, id: string): string => names.get(id) ?? cleanLine(id)
