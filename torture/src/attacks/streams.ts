import { unread } from '../service/raw.js'
import type { Attack } from './attack.js'
import { crowd } from './crowd.js'

export const streams: Attack = {
  name: 'unread streams of huge events',
  begin: ({ trial, url, mallory: { key }, long }) => {
    const input = encodeURIComponent(JSON.stringify({ space_id: long }))
    const paths = [`/api/spaces/${long}/events/stream`, `/trpc/event.stream?input=${input}`]
    return crowd(trial.sizes.crowd, (n) => unread(url, { path: paths[n % paths.length] as string, key }))
  },
}
