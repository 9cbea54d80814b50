import { randomUUID } from 'node:crypto'
import { appRouter } from '@collab-spaces/api'
import { eventually, useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { delayAfter, TIMING } from '../src/timing.js'
import { brisk } from './support/clients.js'
import { type Conduct, type Relay, relayTo, type Verdict } from './support/relay.js'
import { adasSpace, textsOf } from './support/space.js'

const h = useProgram()

const DOWN: Verdict = { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Down</h1>' }

/** Applies a verdict to the first requests, and lets later ones pass. */
function first(count: number, verdict: Verdict): Conduct {
  let left = count
  return () => (left-- > 0 ? verdict : 'pass')
}

/** Creates a space, and a client that reaches it through a relay. */
async function behindRelay(conduct: Conduct) {
  const { ada, space_id } = await adasSpace(h)
  const relay = await relayTo(h.url)
  relay.conduct = conduct
  return { ada, space_id, relay, client: brisk(relay.url, ada) }
}

describe('a read', () => {
  it.each<[string, Verdict]>([
    ['a page of a proxy', DOWN],
    ['an error in JSON', { status: 500, body: '{"error":"no upstream"}' }],
    ['an error without a body', { status: 504 }],
    ['a connection that breaks', 'drop'],
    ['an answer that is lost', 'lose'],
  ])('is retried after %s', async (_, verdict) => {
    const { space_id, relay, client } = await behindRelay(first(4, verdict))
    expect((await client.space.status.query({ space_id })).space_id).toBe(space_id)
    expect(relay.requests).toHaveLength(5)
  })

  it('fails after five attempts, with the last answer', async () => {
    const { relay, client } = await behindRelay(() => DOWN)
    await expect(client.actor.me.query()).rejects.toMatchObject({ status: 503, mayPass: true })
    expect(relay.requests).toHaveLength(5)
  })

  it('is retried alone when the other calls of its request were answered', async () => {
    const { space_id, relay, client } = await behindRelay(() => 'pass')
    const unavailable = { message: 'x', code: -32_000, data: { httpStatus: 503, code: 'x', detail: 'Later' } }
    let answers = 0
    relay.conduct = ({ url }) => {
      if (answers++ > 0) return 'pass'
      expect(url).toContain('/trpc/actor.me,space.status?')
      return { status: 207, body: JSON.stringify([{ result: { data: 'me' } }, { error: unavailable }]) }
    }
    const both = [client.actor.me.query(), client.space.status.query({ space_id })]
    expect(await Promise.all(both)).toMatchObject(['me', { space_id }])
    expect(relay.requests[1]).toMatch(/^GET \/trpc\/space\.status\?/)
    expect(relay.requests).toHaveLength(2)
  })

  it.each([400, 401, 403, 404, 408, 409, 429])('is not retried after %d', async (status) => {
    const { relay, client } = await behindRelay(() => ({ status, body: '{"detail":"No"}' }))
    await expect(client.actor.me.query()).rejects.toMatchObject({ status, detail: 'No' })
    expect(relay.requests).toHaveLength(1)
  })

  it('is not retried when Retry-After exceeds the limit of a call', async () => {
    const { relay, client } = await behindRelay(() => ({ status: 503, headers: { 'retry-after': '3600' } }))
    await expect(client.actor.me.query()).rejects.toMatchObject({ status: 503, retryAfterMs: 3_600_000 })
    expect(relay.requests).toHaveLength(1)
  })

  it('is not retried when it could not be sent', async () => {
    const { relay, client } = await behindRelay(() => 'pass')
    const unsendable = { space_id: 1n as unknown as string }
    await expect(client.space.status.query(unsendable)).rejects.toMatchObject({ status: null, mayPass: false })
    expect(relay.requests).toEqual([])
  })
})

describe('a mutation', () => {
  const REPEATED = [
    'actor.connect',
    'actor.release',
    'agentCode.redeem',
    'block.add',
    'conversation.start',
    'decision.propose',
    'decision.use',
    'event.append',
    'event.appendBatch',
    'event.checkBatch',
    'event.findMentions',
    'event.response',
    'event.speech',
    'event.streamTicket',
    'file.ticket',
    'file.upload',
    'inbox.done',
    'inbox.snooze',
    'invite.revoke',
    'participant.join',
    'participant.leave',
    'reaction.add',
    'reaction.remove',
    'notification.reportPresence',
    'notification.subscribe',
    'preference.change',
    'seen.mark',
    'seen.unmark',
    'signIn.out',
    'thread.start',
    'token.revoke',
    'claim.progress',
    'claim.renew',
  ]
  const mutations = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>)
    .filter(([, { _def }]) => _def.type === 'mutation')
    .map(([path]) => path)

  it.each(mutations)('is retried only if that is safe: %s', async (path) => {
    const { relay, client } = await behindRelay(() => DOWN)
    const [noun = '', verb = ''] = path.split('.')
    const nouns = client as unknown as Record<string, Record<string, { mutate(input: object): Promise<unknown> }>>
    await expect(nouns[noun]?.[verb]?.mutate({})).rejects.toMatchObject({ status: 503 })
    expect(relay.requests).toHaveLength(REPEATED.includes(path) ? 5 : 1)
  })

  it('writes once, however often its answer is lost', async () => {
    const { ada, space_id, relay, client } = await behindRelay(() => 'pass')
    const rest = h.as(ada)
    const losing = async <T>(write: () => Promise<T>): Promise<T> => {
      relay.conduct = first(3, 'lose')
      return write()
    }
    const event = await losing(() => client.event.speech.mutate({ space_id, text: 'speech' }))
    await losing(() => client.event.response.mutate({ space_id, text: 'response' }))
    const bot = { speaker_id: 'bot', speaker_name: 'Bot' }
    await losing(() => client.event.append.mutate({ space_id, ...bot, text: 'append' }))
    const events = [
      { ...bot, text: 'batch 1' },
      { ...bot, text: 'batch 2', idempotency_key: 'batch 2' },
    ]
    await losing(() => client.event.appendBatch.mutate({ space_id, events }))
    expect(await textsOf(h, ada, space_id)).toEqual(['speech', 'response', 'append', 'batch 1', 'batch 2'])

    const proposal = { space_id, proposed_by: ada.actor_id, text: 'Go' }
    const { decision_id } = await losing(() => client.decision.propose.mutate(proposal))
    const decisions = (await rest.get(`/api/spaces/${space_id}/decisions`).expect(200)) as { decision_id: string }[]
    expect(decisions.map((decision) => decision.decision_id)).toEqual([decision_id])

    const start = { space_id, parent_event_id: event.event_id, subject: 'More' }
    const thread = await losing(() => client.thread.start.mutate(start))
    expect(await client.thread.start.mutate(start)).toEqual(thread)
    await losing(() => client.participant.join.mutate({ space_id }))
    expect(await rest.get(`/api/spaces/${space_id}/participants`).expect(200)).toHaveLength(1)
  })

  it('creates one agent with a working key from a code, however often the answer is lost', async () => {
    const { ada, relay, client } = await behindRelay(first(3, 'lose'))
    const rest = h.as(ada)
    const { code } = await rest.post('/api/agent-codes', { display_name: 'Scout' }).expect(200)
    const { api_key, actor_id } = await client.agentCode.redeem.mutate({ code, installation_id: 'here' })
    expect(relay.requests).toHaveLength(4)
    expect(await rest.get('/api/actors/me/agents').expect(200)).toMatchObject([{ actor_id }])
    await h.as({ api_key }).get('/api/actors/me').expect(200)
  })

  it('keeps a given idempotency key, and otherwise gets a new one per call', async () => {
    const { ada, space_id, relay, client } = await behindRelay(first(1, 'lose'))
    const keyed = { space_id, text: 'once', idempotency_key: `key-${randomUUID()}` }
    const event = await client.event.speech.mutate(keyed)
    expect(await client.event.speech.mutate(keyed)).toEqual(event)
    await client.event.speech.mutate({ space_id, text: 'twice' })
    await client.event.speech.mutate({ space_id, text: 'twice' })
    expect(await textsOf(h, ada, space_id)).toEqual(['once', 'twice', 'twice'])
    expect(relay.requests).toHaveLength(5)
  })
})

describe("the caller's signal", () => {
  const forEver = { firstDelay: 20_000, longestDelay: 30_000 }

  async function waiting(conduct: Conduct, until: (relay: Relay) => boolean) {
    const { ada, relay } = await behindRelay(conduct)
    const abort = new AbortController()
    const call = brisk(relay.url, ada, forEver).actor.me.query(undefined, { signal: abort.signal })
    call.catch(() => {})
    await eventually(() => until(relay))
    abort.abort(new Error('Enough'))
    await expect(call).rejects.toMatchObject({
      name: 'SpacesError',
      status: null,
      detail: 'Aborted',
      cause: { message: 'Enough' },
    })
    return relay
  }

  it('ends the wait between two attempts', async () => {
    const relay = await waiting(
      () => DOWN,
      ({ bytes, requests }) => requests.length === 1 && bytes === 0,
    )
    expect(relay.requests).toHaveLength(1)
  })

  it('ends an attempt that gets no answer', async () => {
    await waiting(
      () => 'swallow',
      ({ requests }) => requests.length === 1,
    )
  })

  it('prevents the request if it has already fired', async () => {
    const { relay, client } = await behindRelay(() => 'pass')
    await expect(client.actor.me.query(undefined, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      detail: 'Aborted',
    })
    expect(relay.requests).toEqual([])
  })

  it('does not affect other calls of the same request', async () => {
    const { space_id, client } = await behindRelay(() => 'pass')
    const abort = new AbortController()
    const left = client.actor.me.query(undefined, { signal: abort.signal })
    const stays = client.space.status.query({ space_id })
    abort.abort()
    await expect(left).rejects.toMatchObject({ detail: 'Aborted' })
    expect(await stays).toMatchObject({ space_id })
  })
})

describe('the delay before a retry', () => {
  it('doubles from one second up to thirty, with jitter', () => {
    for (const [failures, due] of [1, 2, 4, 8, 16, 20, 20, 20].entries()) {
      const delays = Array.from({ length: 100 }, () => delayAfter(failures + 1, TIMING))
      for (const delay of delays) {
        expect(delay).toBeGreaterThanOrEqual(due * 1_000)
        expect(delay).toBeLessThan(due * 1_500)
      }
      expect(new Set(delays).size).toBeGreaterThan(50)
    }
  })
})
