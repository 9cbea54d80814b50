import type { Actor, Block, RouterOutputs } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { joined, type StyledText, styled, type Text } from '../terminal/styled.js'
import { fields, numberedTable, table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { limitsIn } from './limits.js'

export function listOfAgents(agents: readonly Actor[], style: Style): Text {
  if (agents.length === 0) return 'No agents. Register one: spaces agent register NAME'
  return numberedTable(style, agents, {
    agent: ({ actor_id }) => actor_id,
    name: ({ display_name }) => display_name,
    registered: ({ created_at }) => relativeTime(created_at),
    connected: ({ connection }) => (connection ? connectionOf(connection) : 'no'),
    about: ({ agent_profile }) => agent_profile ?? '',
  })
}

/** Where an agent is connected, by what, and since when. */
function connectionOf({ installation_id, agent_adapter, connected_at }: NonNullable<Actor['connection']>): StyledText {
  const adapter = agent_adapter === null ? '' : styled` by ${agent_adapter}`
  return styled`to ${installation_id}${adapter}, ${relativeTime(connected_at)}`
}

export const oneActor = (actor: Actor, style: Style): Text =>
  fields(style, [
    [actor.actor_type, style.bold(actor.actor_id)],
    ['name', actor.display_name],
    ['email', actor.email],
    ['title', actor.title],
    ['time zone', actor.time_zone],
    ['picture', actor.picture && 'yes'],
    ['about', actor.agent_profile],
    ['sponsor', actor.sponsor_id],
    ['tenant', actor.tenant_id],
    ['first space', actor.default_space_id],
    ['metadata', actor.metadata && JSON.stringify(actor.metadata)],
    ['registered', relativeTime(actor.created_at)],
    ['stopped', actor.stopped && stopOf(actor.stopped)],
    ['connected', actor.actor_type === 'agent' ? (actor.connection ? connectionOf(actor.connection) : 'no') : null],
  ])

function stopOf({ reason, stopped_by, stopped_at }: NonNullable<Actor['stopped']>): StyledText {
  return styled`${relativeTime(stopped_at)} by ${stopped_by}${reason === null ? '' : styled`: ${reason}`}`
}

/** The names of some actors. */
export const names = (actors: readonly Actor[]): StyledText =>
  joined(
    actors.map(({ display_name }) => display_name),
    ', ',
  )

/** An agent that has joined from this machine. */
type JoinedAgent = Omit<RouterOutputs['agentCode']['redeem'], 'api_key'> & {
  readonly url: string
  readonly profile: string
  readonly installation_id: string
}

export const joinedAgent = (agent: JoinedAgent, style: Style): Text =>
  fields(style, [
    ['name', style.bold(agent.display_name)],
    ['agent', agent.actor_id],
    ['sponsor', agent.sponsor_id],
    ['limits', limitsIn(agent)],
    ['server', agent.url],
    ['installation', agent.installation_id],
    ['profile', agent.profile],
    ['token', 'saved in the profile'],
  ])

/** An agent and the installation it is connected to. */
export const oneConnectedAgent = (agent: RouterOutputs['actor']['connect'], style: Style) =>
  fields(style, [
    ['agent', style.bold(agent.agent_id)],
    ['status', style.green(agent.status)],
    ['installation', agent.installation_id],
    ['since', relativeTime(agent.connected_at)],
  ])

export function listOfBlocks(blocks: readonly Block[], style: Style): Text {
  if (blocks.length === 0) return 'You have not blocked anyone.'
  return table(style, blocks, {
    member: ({ actor_id }) => actor_id,
    name: ({ name }) => name,
    blocked: ({ created_at }) => relativeTime(created_at),
  })
}
