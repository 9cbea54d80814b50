import type { Client } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import { type Names, namesOf } from '../../show/participant.js'

/** The names of the participants of a space. Not fetched for scripts, which see only IDs. */
export const namesIn = async (cli: Cli, client: Client, space_id: string): Promise<Names> =>
  namesOf(cli.out.json ? [] : await client.participant.list.query({ space_id }))
