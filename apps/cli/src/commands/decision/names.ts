import type { Client } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import { type Names, namesOf } from '../../show/participant.js'

/** The names of those who have joined a space. Scripts are shown none, so nothing is asked for them. */
export const namesIn = async (cli: Cli, client: Client, space_id: string): Promise<Names> =>
  namesOf(cli.out.json ? [] : await client.participant.list.query({ space_id }))
