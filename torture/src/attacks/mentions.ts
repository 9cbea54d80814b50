import { send } from '../service/http.js'
import type { Attack } from './attack.js'
import { loop } from './loop.js'

/** As many as an event may have, and one more, which is refused. */
const MENTIONS = [100, 101]
const LENGTH = 60_000

/** Neighbouring characters are indexed, and there are hardly two that are the same. */
const unspaced = () =>
  Array.from({ length: LENGTH }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join('')

export const mentions: Attack = {
  name: 'writes that are dear to index',
  begin: ({ url, mallory: { key }, wordy }) => {
    const path = `/api/spaces/${wordy}/speech`
    const bodies = [
      ...MENTIONS.map((count) => ({
        text: 'x',
        metadata: { mentions: Array.from({ length: count }, (_, n) => `usr_${n}`) },
      })),
      { text: unspaced() },
      // One character that is normalized to eighteen.
      { text: '\uFDFA'.repeat(LENGTH) },
    ]
    return loop(16, (n) => send(url, { path, key, body: bodies[n % bodies.length] }))
  },
}
