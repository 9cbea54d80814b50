import { must } from './http.js'

export interface Human {
  readonly actorId: string
  readonly key: string
}

export async function register(url: string, name = 'Ada'): Promise<Human> {
  const body = { display_name: name, email: 'ada@example.org' }
  const { actor_id, api_key } = await must<{ actor_id: string; api_key: string }>(url, { path: '/api/actors', body })
  return { actorId: actor_id, key: api_key }
}

/** Registers an actor with its own tenant. */
export async function registerTenant(url: string, name: string): Promise<Human> {
  const human = await register(url, name)
  await must(url, { path: '/api/tenants', key: human.key, body: { name } })
  return human
}

export async function openSpace(url: string, { key }: Human, space_id: string): Promise<string> {
  await must(url, { path: '/api/spaces', key, body: { space_id } })
  return space_id
}
