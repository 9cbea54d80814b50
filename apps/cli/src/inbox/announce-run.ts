import type { Actor, Client } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { styled } from '../terminal/styled.js'

/** Prints the start line of a run: the agent, its sponsor, the server and the command. */
export async function announceRun(cli: Cli, client: Client, me: Actor, command: string): Promise<void> {
  if (cli.out.json) return
  const { url } = await cli.account()
  const sponsor = await sponsorNameOf(client, me)
  const of = sponsor === null ? '' : styled`, sponsored by ${sponsor},`
  cli.out.note(styled`${me.display_name}${of} on ${cli.nowAt(url)} runs for each batch of its inbox: ${command}`)
  cli.out.note('Stop it with Ctrl-C')
}

/** Returns null for a human, and for an agent whose sponsor is in another tenant. */
export const sponsorNameOf = async (client: Client, { actor_id, sponsor_id }: Actor): Promise<string | null> =>
  sponsor_id === null ? null : ((await cardOf(client, actor_id))?.sponsor_name ?? null)

/** Names are a courtesy: what needs them goes on without. */
export const cardOf = (client: Client, actor_id: string) => client.actor.card.query({ actor_id }).catch(() => null)
