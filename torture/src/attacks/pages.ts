import { unread } from '../service/raw.js'
import type { Attack } from './attack.js'
import { crowd } from './crowd.js'

export const pages: Attack = {
  name: 'unread pages, transcripts and single events, all huge',
  begin: ({ trial, url, mallory: { key }, long, longIds }) => {
    const space = `/api/spaces/${long}`
    // With different cursors, no two responses are the same.
    const paths = longIds.flatMap((id) => [
      `${space}/events?limit=200&since=${id}`,
      `${space}/events?limit=200&since=${id}`,
      `${space}/events/${id}`,
      `${space}/transcript`,
    ])
    return crowd(trial.sizes.crowd * 0.9, (n) => unread(url, { path: paths[n % paths.length] as string, key }, 10))
  },
}
