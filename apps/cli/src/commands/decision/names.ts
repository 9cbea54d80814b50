import type { Client, Member } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import { type Names, namesOf } from '../../show/participant.js'
import { cleanLine } from '../../terminal/clean.js'

/**
 * The names of the participants of a space, and of the members of the tenant, who need not join to decide. Not fetched
 * for scripts, which see only IDs.
 */
export async function namesIn(cli: Cli, client: Client, space_id: string): Promise<Names> {
  if (cli.out.json) return new Map()
  const [participants, names] = await Promise.all([
    client.participant.list.query({ space_id }),
    namesBeside(cli, client),
  ])
  return new Map([...names, ...namesOf(participants)])
}

/** The names of the members of the tenant. Not fetched for scripts, either. */
export async function namesBeside(cli: Cli, client: Client): Promise<Names> {
  const members = cli.out.json ? [] : await membersBeside(client)
  return new Map(members.map(({ actor_id, display_name }) => [actor_id, cleanLine(display_name)]))
}

/** In the shared tenant, only the caller. */
async function membersBeside(client: Client): Promise<readonly Pick<Member, 'actor_id' | 'display_name'>[]> {
  const me = await client.actor.me.query()
  return me.tenant_id === null ? [me] : client.rest('tenant.members', { tenant_id: me.tenant_id })
}
