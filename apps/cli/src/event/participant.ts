import { type Client, findByName, type Participant } from '@collab-spaces/client'
import { failed } from '../failure.js'

const ID = /^(usr|agt)_/

/**
 * The ID of an actor: given as such, or as the name of a participant in any case, with or without accents and an @. Fails for a name
 * that no participant has, or several have.
 */
export function idOf(wanted: string, spaceId: string, participants: readonly Participant[]): string {
  if (ID.test(wanted) || participants.some(({ participant_id }) => participant_id === wanted)) return wanted
  const named = participants.map(({ participant_id, name }) => ({ id: participant_id, name }))
  const found = findByName(named, wanted.replace(/^[@＠]/, ''))
  const [only] = found
  if (only && found.length === 1) return only.id
  if (!only)
    throw failed(`No participant of ${spaceId} is named ${wanted}`, `List them: spaces space participants ${spaceId}`)
  throw failed(
    `Several participants of ${spaceId} are named ${wanted}`,
    `Use an ID: ${found.map(({ id }) => id).join(', ')}`,
  )
}

/** The IDs of actors that are given as such, or by the names of participants of a space. Nothing is fetched for none. */
export async function actorsIn(client: Client, space_id: string, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return []
  const participants = await client.participant.list.query({ space_id })
  return given.map((actor) => idOf(actor, space_id, participants))
}
