import { send } from '../service/http.js'
import type { Attack } from './attack.js'
import { loop } from './loop.js'

/** The maximum of an event, and one more, which is refused. */
const MENTIONS = [100, 101]
const LENGTH = 60_000

/** Neighbouring characters are indexed, and hardly any two pairs are the same. */
const unspaced = () =>
  Array.from({ length: LENGTH }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join('')

export const mentions: Attack = {
  name: 'writes that are expensive to index',
  begin: ({ url, mallory: { key }, wordy }) => {
    const path = `/api/spaces/${wordy}/speech`
    const bodies = [
      ...MENTIONS.map((count) => ({
        text: 'x',
        metadata: { mentions: Array.from({ length: count }, (_, n) => `usr_${n}`) },
      })),
      { text: unspaced() },
      // A character that normalizes to eighteen.
      { text: '\uFDFA'.repeat(LENGTH) },
    ]
    return loop(16, (n) => send(url, { path, key, body: bodies[n % bodies.length] }))
  },
}
