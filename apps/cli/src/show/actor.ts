import type { Actor, RouterOutputs } from '@collab-spaces/client'
import { clean, cleanLine } from '../terminal/clean.js'
import type { Style } from '../terminal/style.js'
import { fields, table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

export function listOfAgents(agents: readonly Actor[], style: Style): string {
  if (agents.length === 0) return 'No agents. Register one: spaces agent register NAME'
  return table(
    style,
    ['agent', 'name', 'registered', 'about'],
    agents.map((agent) => [
      agent.actor_id,
      agent.display_name,
      relativeTime(agent.created_at),
      agent.agent_profile ?? '',
    ]),
  )
}

export const oneActor = (actor: Actor, style: Style): string =>
  fields(style, [
    [actor.actor_type, style.bold(actor.actor_id)],
    ['name', cleanLine(actor.display_name)],
    ['email', actor.email && cleanLine(actor.email)],
    ['about', actor.agent_profile && clean(actor.agent_profile)],
    ['sponsor', actor.sponsor_id],
    ['tenant', actor.tenant_id],
    ['first space', actor.default_space_id],
    ['metadata', actor.metadata && clean(JSON.stringify(actor.metadata))],
    ['registered', relativeTime(actor.created_at)],
  ])

/** An agent and the installation it is connected to. */
export const oneConnectedAgent = (agent: RouterOutputs['actor']['connect'], style: Style) =>
  fields(style, [
    ['agent', style.bold(agent.agent_id)],
    ['status', style.green(agent.status)],
    ['installation', cleanLine(agent.installation_id)],
    ['since', relativeTime(agent.connected_at)],
  ])
