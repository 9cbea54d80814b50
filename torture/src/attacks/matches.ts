import { unread } from '../service/raw.js'
import type { Attack } from './attack.js'
import { crowd } from './crowd.js'

export const matches: Attack = {
  name: 'unread matches of searches, each a huge event',
  begin: ({ trial, url, mallory: { key }, long }) => {
    const path = `/api/search?q=needle&limit=100&space_id=${long}`
    return crowd(trial.sizes.crowd / 12, () => unread(url, { path, key }, 5))
  },
}
