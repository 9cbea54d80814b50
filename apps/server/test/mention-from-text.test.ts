import { MEMBERS, MENTION_CASES } from '@collab-spaces/domain/mention-cases'
import { type Actor, NOTHING } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()
let ada: Actor
let scout: Actor
let path: string

beforeAll(async () => {
  ada = await h.registerHuman('Ada Lovelace')
  scout = await h.registerAgent(ada, 'Scout')
  path = await h.openSpace(ada)
  for (const actor of [ada, scout]) await h.as(actor).post(`${path}/join`).expect(200)
})

const mentionsOf = (actor: Actor) => h.as(ada).get(`${path}/mentions/${actor.actor_id}?limit=100`).expect(200)

describe.each([
  ['speech', {}],
  ['response', {}],
  ['events', { speaker_id: 'bridge', speaker_name: 'Bridge' }],
])('POST …/%s with mentions_from_text', (operation, speaker) => {
  const say = (text: string, more: object = {}, extras = {}) =>
    h.as(ada).post(`${path}/${operation}`, { ...speaker, text, mentions_from_text: true, ...more }, extras)

  it('mentions the named participants only', async () => {
    const event = await say('@scout and @Ada, not @Zoe: look').expect(200)
    expect(event.metadata).toEqual({ mentions: [scout.actor_id, ada.actor_id] })
    expect(await mentionsOf(scout)).toContainEqual(event)
  })

  it('adds the mentions to the metadata of the request', async () => {
    const metadata = { mood: 'good', mentions: ['usr_x', scout.actor_id] }
    const event = await say('@Scout @Ada', { metadata }).expect(200)
    expect(event.metadata).toEqual({ mood: 'good', mentions: ['usr_x', scout.actor_id, ada.actor_id] })
    await say('@Scout', { metadata: { mentions: 7 } }).expect(400, /^metadata\.mentions: must be an array/)
  })

  it('adds no mentions to a text without names, or if it is false or null', async () => {
    expect((await say('mail ada@example.org').expect(200)).metadata).toBeNull()
    expect((await say('@Scout', { mentions_from_text: false }).expect(200)).metadata).toBeNull()
    expect((await say('@Scout', { mentions_from_text: null }).expect(200)).metadata).toBeNull()
    await say('@Scout', { mentions_from_text: 'perhaps' }).expect(400, 'mentions_from_text: must be true or false')
  })

  it('is compared when an idempotency key is reused', async () => {
    const key = { headers: { 'Idempotency-Key': `${operation}-1` } }
    const event = await say('@Scout', {}, key).expect(200)
    expect(await say('@Scout', {}, key).expect(200)).toEqual(event)
    await say('@Scout', { mentions_from_text: false }, key).expect(409)
    const plain = { headers: { 'Idempotency-Key': `${operation}-2` } }
    const first = await say('Hi', { mentions_from_text: undefined }, plain).expect(200)
    // False means the same as no field.
    expect(await say('Hi', { mentions_from_text: false }, plain).expect(200)).toEqual(first)
  })
})

describe('POST …/events/batch', () => {
  it('adds mentions to the events with mentions_from_text only', async () => {
    const event = { speaker_id: 'x', speaker_name: 'X', text: '@Scout' }
    const events = [{ ...event, mentions_from_text: true }, event]
    const written = await h.as(ada).post(`${path}/events/batch`, { events }).expect(200)
    expect(written.map(({ metadata }: { metadata: unknown }) => metadata)).toEqual([
      { mentions: [scout.actor_id] },
      null,
    ])
  })
})

describe('a text in a space of many names', () => {
  const nameOf = new Map<string, string>()
  let crowd: string

  beforeAll(async () => {
    crowd = await h.openSpace(ada)
    for (const name of MEMBERS) {
      const actor = name === 'Ada Lovelace' ? ada : await h.registerAgent(ada, name)
      await h.as(actor).post(`${crowd}/join`).expect(200)
      nameOf.set(actor.actor_id, name)
    }
  })

  const named = (ids: readonly string[] = []) => ids.map((id) => nameOf.get(id))

  it.each(MENTION_CASES)('mentions the expected participants: $text', async ({ text, mentions }) => {
    const event = await h.as(ada).post(`${crowd}/speech`, { text, mentions_from_text: true }).expect(200)
    expect(named(event.metadata?.mentions)).toEqual(mentions)
    const found = await h.as(ada).post(`${crowd}/mentions`, { text }).expect(200)
    const ids = found.mentions.map(({ participant_id }: { participant_id: string }) => participant_id)
    expect(new Set(named(ids))).toEqual(new Set(mentions))
  })
})

describe('POST …/mentions', () => {
  const find = (text: unknown) => h.as(ada).post(`${path}/mentions`, { text })

  it('returns the mentions and the unclear names of a text, and posts nothing', async () => {
    const twin = await h.registerHuman('Twin')
    const other = await h.registerHuman('twin')
    for (const actor of [twin, other]) await h.as(actor).post(`${path}/join`).expect(200)
    const before = await h.as(ada).get(`${path}/status`).expect(200)
    expect(await find('@Scout, ask @Twin or @Garce.').expect(200)).toEqual({
      mentions: [{ name: 'Scout', participant_id: scout.actor_id }],
      unclear: [
        { name: 'Twin', participant_ids: [twin.actor_id, other.actor_id] },
        { name: 'Garce', participant_ids: [] },
      ],
    })
    expect(await h.as(ada).get(`${path}/status`).expect(200)).toEqual(before)
  })

  it('finds no actor that left the space or the tenant', async () => {
    const grace = await h.registerHuman('Grace')
    await h.as(grace).post(`${path}/join`).expect(200)
    expect((await find('@Grace').expect(200)).mentions).toHaveLength(1)
    await h.as(grace).post(`${path}/leave`).expect(200)
    expect((await find('@Grace').expect(200)).mentions).toEqual([])
    const moved = await h.registerHuman('Linus')
    await h.as(moved).post(`${path}/join`).expect(200)
    await h.as(moved).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
    expect((await find('@Linus').expect(200)).mentions).toEqual([])
  })

  it('returns 404 for an unknown space, and 400 without a text', async () => {
    await h.as(ada).post(`/api/spaces/${NOTHING}/mentions`, { text: '@Ada' }).expect(404, 'Space not found')
    await find('').expect(400, 'text: must not be empty')
  })

  it('returns an unclear name once, even if it occurs 33,000 times', async () => {
    expect((await find('@a '.repeat(33_000)).expect(200)).unclear).toHaveLength(1)
  })
})
