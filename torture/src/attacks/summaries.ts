import { send } from '../service/http.js'
import type { Attack } from './attack.js'
import { loop } from './loop.js'

export const summaries: Attack = {
  name: 'regenerated summaries of shifting windows',
  begin: ({ url, mallory: { key }, wordy }) =>
    loop(20, (n) => {
      const window = `start=1970-01-01T00:00:${String(n % 60).padStart(2, '0')}Z&end=2100-01-01T00:00:00Z`
      return send(url, { path: `/api/spaces/${wordy}/summary?${window}&regenerate=true`, key })
    }),
}
