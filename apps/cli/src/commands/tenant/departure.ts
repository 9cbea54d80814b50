import type { Client } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import { cleanLine } from '../../terminal/clean.js'

/** How many names are listed of each kind. */
const LISTED = 5

/** Says what a human who moves to another tenant, or to none, leaves behind, and who comes along. */
export async function tellWhatStays(cli: Cli, client: Client): Promise<void> {
  if (cli.out.json) return
  const me = await client.actor.me.query()
  const [spaces, agents, tenant] = await Promise.all([
    client.rest('actor.mySpaces', {}),
    client.rest('actor.myAgents', {}),
    me.tenant_id === null ? null : tenantOf(client, me.tenant_id, me.actor_id),
  ])
  const names = agents.map(({ display_name }) => cleanLine(display_name))
  const lines = [
    tenant && `You leave the tenant ${cleanLine(tenant.name)}${tenant.isAdmin ? ' and stop being its admin' : ''}.`,
    spaces.length > 0 && `These spaces stay behind: ${some(spaces.map(({ space_id }) => space_id))}.`,
    names.length > 0 && `Your agents come along, and leave them too: ${some(names)}.`,
  ]
  for (const line of lines) if (line) cli.out.note(line)
}

async function tenantOf(client: Client, tenant_id: string, actorId: string) {
  const [{ name }, members] = await Promise.all([
    client.tenant.get.query({ tenant_id }),
    client.rest('tenant.members', { tenant_id }),
  ])
  return { name, isAdmin: members.some(({ actor_id, is_admin }) => actor_id === actorId && is_admin) }
}

function some(names: readonly string[]): string {
  const rest = names.length - LISTED
  return rest > 0 ? `${names.slice(0, LISTED).join(', ')} and ${rest} more` : names.join(', ')
}
