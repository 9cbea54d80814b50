import type { Client } from '@collab-spaces/testing'
import type { Operation } from './document.js'

export const MALFORMED = '%E0%A4%A'

/** Sends a request with malformed ids, query and body. */
export function sendGarbage(client: Client, { method, path, open, keyless }: Operation) {
  const target = `${path.replace(/\{\w+\}/g, MALFORMED)}?limit=0&limit=${MALFORMED}`
  // Registering an agent needs a credential, unlike a human, so the body has to name the type.
  const body = open && !keyless ? '{"actor_type":"agent","metadata":7}' : '{"half'
  return client.send(method, target, method === 'GET' || method === 'DELETE' ? undefined : body)
}
