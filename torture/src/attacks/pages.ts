import { unread } from '../service/raw.js'
import type { Attack } from './attack.js'
import { crowd } from './crowd.js'

export const pages: Attack = {
  name: 'unread pages, transcripts and threads of huge events',
  begin: ({ url, mallory: { key }, long }) => {
    const paths = [`/api/spaces/${long}/events?limit=200`, `/api/spaces/${long}/transcript`]
    return crowd(60, (n) => unread(url, { path: paths[n % paths.length] as string, key }, 10))
  },
}
