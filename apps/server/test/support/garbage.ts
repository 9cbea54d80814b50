import type { Client } from '@collab-spaces/testing'
import type { Operation } from './document.js'

export const MALFORMED = '%E0%A4%A'

/** Sends what no operation takes, and every part of it: ids, query, body. */
export function sendGarbage(client: Client, { method, path, open, keyless }: Operation) {
  const target = `${path.replace(/\{\w+\}/g, MALFORMED)}?limit=0&limit=${MALFORMED}`
  // Registering a human needs no credential, an agent does: that it is to be one is all the body says.
  const body = open && !keyless ? '{"actor_type":"agent","metadata":7}' : '{"half'
  return client.send(method, target, method === 'GET' || method === 'DELETE' ? undefined : body)
}
