import { dirname, join } from 'node:path'
import { type Actor, type Client, CONTEXT_BUDGET } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { usage } from '../failure.js'
import { announceRun, cardOf } from '../inbox/announce-run.js'
import { issued } from '../input/form.js'
import { Memory } from './memory.js'
import type { Permit } from './permission.js'
import { Runner } from './runner.js'

export interface AcpOptions {
  readonly acp: string
  readonly budget?: number | undefined
  readonly maxSilence?: number | undefined
  readonly permit?: readonly string[] | undefined
  readonly installation?: string | undefined
}

/** Half of it is for the events that wait, and the context takes no less than this. */
const MIN_BUDGET = 2 * CONTEXT_BUDGET.min

const DEFAULT_SILENCE_S = 600

/** Instead of an actor: those who may settle the decisions of the space. */
const BY_POLICY = 'policy'

function permitOf({ permit = [] }: AcpOptions): Omit<Permit, 'names'> {
  const actorIds = permit.filter((who) => who !== BY_POLICY)
  const odd = actorIds.find((id) => !/^(usr|agt)_/.test(id))
  if (odd !== undefined) throw usage(`--permit takes the ID of an actor, or ${BY_POLICY}, not ${odd}`)
  return { actorIds, byPolicy: permit.includes(BY_POLICY) }
}

/** Looks up the names of those who can allow what the agent asks for: its sponsor, and those who are named. */
async function withNames(client: Client, { sponsor_id }: Actor, permit: Omit<Permit, 'names'>): Promise<Permit> {
  const ids = [...new Set([sponsor_id ?? [], permit.actorIds].flat())]
  const cards = await Promise.all(ids.map((actor_id) => cardOf(client, actor_id)))
  return { ...permit, names: new Map(cards.flatMap((card) => (card ? [[card.actor_id, card.display_name]] : []))) }
}

/** Drives an agent of the Agent Client Protocol, as the agent whose account is in use. */
export async function runAcpAgent(cli: Cli, options: AcpOptions, signal: AbortSignal): Promise<void> {
  const { acp: command, budget = CONTEXT_BUDGET.default, maxSilence = DEFAULT_SILENCE_S } = options
  if (budget < MIN_BUDGET || budget > CONTEXT_BUDGET.max) {
    throw usage(`--budget must be from ${MIN_BUDGET} to ${CONTEXT_BUDGET.max}`)
  }
  if (maxSilence < 1) throw usage('--max-silence must be 1 or more')
  const account = await cli.account()
  const client = cli.clientFor(account)
  const me = await client.actor.me.query()
  if (me.actor_type !== 'agent')
    throw usage('This account is not that of an agent', 'Invite one: spaces agent invite NAME')
  const memory = await Memory.in(join(dirname(cli.profiles.path), 'agents'), issued('actor ID', me.actor_id))
  const installation_id = options.installation ?? account.installation_id
  // It speaks through this command: it needs no token, and what a model runs should not find one.
  const { SPACES_TOKEN: _, ...env } = cli.environmentFor({ ...account, installation_id })
  const agent = { command, env, cwd: process.cwd(), silenceMs: maxSilence * 1_000 }
  const permit = await withNames(client, me, permitOf(options))
  await announceRun(cli, client, me, command)
  await new Runner(cli, { client, memory, installation_id, budget, permit, agent }).run(signal)
}
