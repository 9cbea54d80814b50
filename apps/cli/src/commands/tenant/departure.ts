import type { Client, RouterOutputs } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import { counted } from '../../terminal/prose.js'
import { joined, type StyledText, styled } from '../../terminal/styled.js'

/** How many names are listed of each kind. */
const LISTED = 5

type SpaceMove = RouterOutputs['tenant']['planMove']

/** Lists what a human who moves to another tenant, or to none, leaves behind, and which agents come along. */
export async function tellWhatStays(cli: Cli, client: Client): Promise<void> {
  if (cli.out.json) return
  const [spaces, about] = await Promise.all([client.rest('actor.mySpaces', {}), aboutMove(client)])
  tell(cli, [
    about.departure,
    spaces.length > 0 && styled`These spaces stay behind: ${some(spaces.map(({ space_id }) => space_id))}.`,
    about.agents.length > 0 && styled`Your agents come along, and leave them too: ${some(about.agents)}.`,
  ])
}

/** Lists what comes along when a human creates a tenant, what stays and why, and what ends. */
export async function tellWhatMoves(cli: Cli, client: Client, plan: SpaceMove): Promise<void> {
  if (cli.out.json) return
  const { departure, agents } = await aboutMove(client)
  const { moves, stays, links_removed, webhooks_disabled } = plan
  const left = stays.length - LISTED
  tell(cli, [
    departure,
    moves.length > 0 && styled`These spaces come along: ${some(moves.map(({ space_id }) => space_id))}.`,
    ...stays.slice(0, LISTED).map(({ space_id, detail }) => styled`${space_id} stays behind: ${detail}.`),
    left > 0 && styled`${counted(left, 'more space')} ${left === 1 ? 'stays' : 'stay'} behind.`,
    agents.length > 0 && styled`Your agents come along: ${some(agents)}.`,
    links_removed > 0 && styled`${counted(links_removed, 'link')} to what stays behind will be removed.`,
    webhooks_disabled > 0 &&
      styled`${counted(webhooks_disabled, 'webhook')} will be disabled: rotate the secret of each, then enable it.`,
  ])
}

/** The tenant that a human leaves, and the names of its agents. */
async function aboutMove(client: Client) {
  const me = await client.actor.me.query()
  const [agents, tenant] = await Promise.all([
    client.rest('actor.myAgents', {}),
    me.tenant_id === null ? null : tenantOf(client, me.tenant_id, me.actor_id),
  ])
  return {
    departure:
      tenant && styled`You leave the tenant ${tenant.name}${tenant.isAdmin ? ' and stop being its admin' : ''}.`,
    agents: agents.map(({ display_name }) => display_name),
  }
}

function tell(cli: Cli, lines: readonly (StyledText | null | false)[]): void {
  for (const line of lines) if (line) cli.out.note(line)
}

async function tenantOf(client: Client, tenant_id: string, actorId: string) {
  const [{ name }, members] = await Promise.all([
    client.tenant.get.query({ tenant_id }),
    client.rest('tenant.members', { tenant_id }),
  ])
  return { name, isAdmin: members.some(({ actor_id, is_admin }) => actor_id === actorId && is_admin) }
}

function some(names: readonly string[]): StyledText {
  const rest = names.length - LISTED
  const listed = joined(names.slice(0, LISTED), ', ')
  return rest > 0 ? styled`${listed} and ${rest} more` : listed
}
