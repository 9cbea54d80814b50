import type { Client } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import { fullId } from '../../id/full-id.js'
import { agentsOf, membersOf } from '../../id/kind.js'

/** The holder of the credentials: the caller, unless a member of the tenant is named, or an agent. */
export async function holderId(cli: Cli, client: Client, given: string | undefined): Promise<string> {
  const me = await client.actor.me.query()
  if (given === undefined) return me.actor_id
  return fullId(cli, me.tenant_id === null ? agentsOf(client) : membersOf(client), given)
}
