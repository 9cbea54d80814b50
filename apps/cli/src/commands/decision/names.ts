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
  const [participants, members] = await Promise.all([
    client.participant.list.query({ space_id }),
    membersBeside(client),
  ])
  return new Map([
    ...members.map(({ actor_id, display_name }) => [actor_id, cleanLine(display_name)] as const),
    ...namesOf(participants),
  ])
}

/** In the shared tenant, only the caller. */
async function membersBeside(client: Client): Promise<readonly Pick<Member, 'actor_id' | 'display_name'>[]> {
  const me = await client.actor.me.query()
  return me.tenant_id === null ? [me] : client.rest('tenant.members', { tenant_id: me.tenant_id })
}
