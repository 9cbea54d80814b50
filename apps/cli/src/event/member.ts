import type { Participant } from '@collab-spaces/client'
import { failed } from '../failure.js'

const ID = /^(usr|agt)_/

/**
 * The id of whoever is meant: a member of the space by name, whatever its case and with or without an @, or anybody
 * by id. Fails for a name that nobody or more than one has.
 */
export function idOf(wanted: string, spaceId: string, members: readonly Participant[]): string {
  if (ID.test(wanted) || members.some(({ participant_id }) => participant_id === wanted)) return wanted
  const name = folded(wanted.replace(/^@/, ''))
  const found = members.filter((member) => folded(member.name) === name)
  const [only] = found
  if (only && found.length === 1) return only.participant_id
  if (!only) throw failed(`Nobody in ${spaceId} is called ${wanted}`, `Who is there: spaces space members ${spaceId}`)
  throw failed(
    `More than one in ${spaceId} is called ${wanted}`,
    `Give the id: ${found.map(({ participant_id }) => participant_id).join(', ')}`,
  )
}

const folded = (name: string) => name.trim().normalize('NFC').toLowerCase()
