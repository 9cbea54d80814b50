import type { Client } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { cleanLine } from '../terminal/clean.js'

/** What people are called, by their ids. */
export type Names = ReadonlyMap<string, string>

/** The names of those who have joined a space. Scripts are shown none, so nothing is asked for them. */
export async function namesIn(cli: Cli, client: Client, space_id: string): Promise<Names> {
  if (cli.out.json) return new Map()
  const members = await client.participant.list.query({ space_id })
  return new Map(members.map(({ participant_id, name }) => [participant_id, cleanLine(name)]))
}

/** A name where there is one: who never joined is known by an id alone. */
export const nameOf = (names: Names, id: string): string => names.get(id) ?? cleanLine(id)
