import type { Client } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { requireOwnTenantId } from '../commands/tenant/own.js'
import { fullId } from '../id/full-id.js'
import { membersOf } from '../id/kind.js'

const ID = /^(usr|agt)_[0-9A-Za-z]{24}$/

/** The ID of a human or agent that is given as such, or by its name among the members of the tenant. */
export async function memberNamed(client: Client, cli: Cli, given: string): Promise<string> {
  return ID.test(given) ? given : fullId(cli, membersOf(client, await requireOwnTenantId(client)), given)
}
