import { type Actor, type Client, createClient } from '@collab-spaces/client'

/** A participant, and its client. */
export interface Participant {
  readonly actor: Actor
  readonly key: string
  readonly client: Client
}

/** Registers a human, and an agent that the human sponsors. */
export async function register(url: string): Promise<{ human: Participant; agent: Participant }> {
  const { actor } = createClient({ url })
  const human = participant(url, await actor.register.mutate({ display_name: 'Demo', email: 'demo@example.org' }))
  const agent = await human.client.actor.register.mutate({
    display_name: 'Historian',
    actor_type: 'agent',
    agent_profile: 'Counts the commits of a repository and says who wrote them',
  })
  return { human, agent: participant(url, agent) }
}

function participant(url: string, { api_key, ...actor }: Actor & { readonly api_key: string }): Participant {
  return { actor, key: api_key, client: createClient({ url, token: api_key }) }
}
