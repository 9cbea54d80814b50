import type { Human, Service } from '../service/service.js'

/** Registers an agent with the rights of its sponsor here. */
export async function registerAgent(service: Service, sponsor: Human, name: string): Promise<Human> {
  const client = service.clientOf(sponsor)
  const { actor_id, api_key } = await client.actor.register.mutate({ display_name: name, actor_type: 'agent' })
  return { actorId: actor_id, name, key: api_key, tenantId: sponsor.tenantId }
}
