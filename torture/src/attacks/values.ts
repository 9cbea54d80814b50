import { unread } from '../service/raw.js'
import type { Attack } from './attack.js'
import { crowd } from './crowd.js'

/** The number of events that fit into a typed answer, and into the first chunk of a page. */
const HUGE_EVENTS = 6
const WORDY_EVENTS = 115
const CALLS = 100

/** Answers that cannot be sent in chunks: those of typed calls, alone and a hundred per request, and of tools. */
export const values: Attack = {
  name: 'answers that are values: of typed calls and of tools',
  begin: ({ trial, url, mallory: { key }, long, wordy }) => {
    const pages = Object.fromEntries(
      Array.from({ length: CALLS }, (_, n) => [n, { space_id: wordy, limit: WORDY_EVENTS }]),
    )
    const input = (value: object) => encodeURIComponent(JSON.stringify(value))
    const tool = { name: 'read_events', arguments: { space_id: wordy, limit: 200 } }
    const requests = [
      { path: `/trpc/event.list?input=${input({ space_id: long, limit: HUGE_EVENTS })}`, key },
      { path: `/trpc/${Array(CALLS).fill('event.list').join(',')}?batch=1&input=${input(pages)}`, key },
      {
        path: '/mcp',
        key,
        headers: { Accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool },
      },
    ]
    return crowd(trial.sizes.crowd / 2, (n) =>
      unread(url, requests[n % requests.length] as (typeof requests)[number], 3),
    )
  },
}
