import { send } from '../service/http.js'
import type { Attack } from './attack.js'
import { loop } from './loop.js'

export const dearReads: Attack = {
  name: 'expensive searches and digests',
  begin: ({ trial, url, mallory: { key }, wordy, long }) => {
    const words = ['一丁', '"a b c" -d', 'a OR b OR c OR d', '丁 丂 七 丄', '"一 丁 丂"']
    const paths = [
      ...words.map((q) => `/api/search?sort=relevance&limit=100&space_id=${wordy}&q=${encodeURIComponent(q)}`),
      `/api/spaces/${long}/activity?max_events=20&since=1970-01-01T00:00:00Z`,
    ]
    return loop(trial.sizes.crowd / 12, (n) => send(url, { path: paths[n % paths.length] as string, key }))
  },
}
