import type { Client } from '@collab-spaces/client'
import { idOf } from '../event/participant.js'

/** The IDs of actors that are given as such, or by the names of participants of a space. Nothing is fetched for none. */
export async function actorsIn(client: Client, space_id: string, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return []
  const participants = await client.participant.list.query({ space_id })
  return given.map((actor) => idOf(actor, space_id, participants))
}
