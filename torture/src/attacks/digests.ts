import { unread } from '../service/raw.js'
import type { Attack } from './attack.js'
import { crowd } from './crowd.js'

export const digests: Attack = {
  name: 'unread digests of many speakers',
  begin: ({ url, mallory: { key }, long }) => {
    const path = `/api/spaces/${long}/activity?max_events=20&since=1970-01-01T00:00:00Z`
    return crowd(40, () => unread(url, { path, key }, 5))
  },
}
