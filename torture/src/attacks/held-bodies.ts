import { open, rawRequest } from '../service/raw.js'
import type { Attack } from './attack.js'
import { crowd } from './crowd.js'

/** The maximum size of a batch. */
const MEGABYTES = 4

export const heldBodies: Attack = {
  name: 'bodies that lack their last byte',
  begin: ({ url, mallory: { key }, long }) => {
    const body = { text: 'x'.repeat(MEGABYTES * 1_048_576 - 100) }
    const bytes = rawRequest({ path: `/api/spaces/${long}/events/batch`, key, body }).slice(0, -1)
    const strangers = rawRequest({ path: '/api/actors', body }).slice(0, -1)
    return crowd(120, (n) => open(url, n % 2 === 0 ? bytes : strangers))
  },
}
