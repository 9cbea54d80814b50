import { useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { clientWith } from '../src/client.js'
import type { RequestOutcome } from '../src/hooks.js'
import { BRISK } from './support/clients.js'
import { relayTo } from './support/relay.js'
import { adasSpace } from './support/space.js'

const h = useProgram()

describe('hooks', () => {
  it('are called with every request and its answer, and can add headers', async () => {
    const { ada, space_id } = await adasSpace(h)
    const relay = await relayTo(h.url)
    const traces: unknown[] = []
    relay.conduct = ({ headers }) => {
      traces.push(headers.traceparent)
      return 'pass'
    }
    const outcomes: RequestOutcome[] = []
    const client = clientWith(
      {
        url: relay.url,
        token: ada.api_key,
        onRequest: ({ headers }) => headers.set('traceparent', 'a trace'),
        onResponse: (outcome) => outcomes.push(outcome),
      },
      BRISK,
    )
    await client.event.speech.mutate({ space_id, text: 'Hello' })
    await client.get(`/api/spaces/${space_id}/events`)
    for await (const _ of client.stream(space_id)) break
    expect(traces).toEqual(['a trace', 'a trace', 'a trace'])
    const requestId = expect.stringMatching(/^[\w-]{36}$/)
    const answered = { status: 200, requestId, durationMs: expect.any(Number) }
    expect(outcomes).toEqual([
      { method: 'POST', url: `${relay.url}/trpc/event.speech?batch=1`, ...answered },
      { method: 'GET', url: `${relay.url}/api/spaces/${space_id}/events`, ...answered },
      { method: 'GET', url: `${relay.url}/api/spaces/${space_id}/events/stream`, ...answered },
    ])
  })

  it('are called for each attempt, also without an answer', async () => {
    const { ada } = await adasSpace(h)
    const relay = await relayTo(h.url)
    let requests = 0
    relay.conduct = () => (requests++ === 0 ? 'drop' : 'pass')
    const statuses: (number | null)[] = []
    const onResponse = ({ status }: RequestOutcome) => statuses.push(status)
    await clientWith({ url: relay.url, token: ada.api_key, onResponse }, BRISK).actor.me.query()
    expect(statuses).toEqual([null, 200])
  })
})
