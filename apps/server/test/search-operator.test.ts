import { type Actor, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { fillSpace } from './support/history.js'
import { useServer } from './support/server.js'

const h = useServer()

let ada: Actor
let grace: Actor
let scout: Actor
let plans: string
let old: string

beforeAll(async () => {
  ada = await h.registerHuman('Ada Lovelace')
  grace = await h.registerHuman('Grâce')
  scout = await h.registerAgent(ada, 'Scout')
  plans = await h.openSpace(ada)
  old = await h.openSpace(ada)
  for (const space of [plans, old]) {
    for (const actor of [ada, grace, scout]) await h.as(actor).post(`${space}/join`).expect(200)
  }
})

const say = (actor: Actor, space: string, text: string, more: object = {}) =>
  h
    .as(actor)
    .post(`${space}/speech`, { text, ...more })
    .expect(200)

async function found(q: string, more: Record<string, string> = {}, actor = ada): Promise<string[]> {
  const matches = await h
    .as(actor)
    .get(`/api/search?${new URLSearchParams({ q, ...more })}`)
    .expect(200)
  return matches.map(({ text }: { text: string }) => text)
}

describe('from:', () => {
  beforeAll(async () => {
    await say(ada, plans, 'The sea is calm')
    await say(grace, plans, 'The sea is rough')
    await say(scout, plans, 'The sea is deep')
    const attributed = { speaker_id: 'U1', speaker_name: 'Katherine Johnson', speaker_type: 'human' }
    await h
      .as(scout)
      .post(`${plans}/events`, { text: 'The sea is far', ...attributed })
      .expect(200)
  })

  it.each([
    ['sea from:ada', ['The sea is calm']],
    ['sea from:Lovelace', ['The sea is calm']],
    ['from:"ada lovelace" sea', ['The sea is calm']],
    ['sea from:grace', ['The sea is rough']],
    ['sea from:GRÂCE', ['The sea is rough']],
    ['sea from:scout', ['The sea is deep']],
    ['sea from:johnson', ['The sea is far']],
    ['sea from:ada from:scout', ['The sea is deep', 'The sea is calm']],
    ['calm from:grace', []],
    ['-deep from:scout', []],
    ['from:ada from:scout -"is calm"', ['The sea is deep']],
    ['sea from:nemo', []],
    ['sea from:%', []],
    ['sea "from:ada"', []],
  ])('filters by speaker: %s', async (q, texts) => {
    expect(await found(q)).toEqual(texts)
  })

  it('takes an actor ID, and works without other words', async () => {
    expect(await found(`sea from:${grace.actor_id}`)).toEqual(['The sea is rough'])
    expect(await found('from:scout')).toEqual(['The sea is deep'])
  })

  it('takes the name that a former member left with', async () => {
    const bob = await h.registerHuman('Bob')
    const space = await h.openSpace(ada)
    await say(bob, space, 'The wind is strong')
    await h.as(bob).post(`${space}/decisions`, { proposed_by: bob.actor_id, text: 'Stay in the port' }).expect(200)
    await h.as(bob).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
    await h.as(bob).patch(`/api/actors/${bob.actor_id}`, { display_name: 'Codename' }).expect(200)
    const both = async (q: string) => {
      const decisions = await h
        .as(ada)
        .get(`/api/search/decisions?q=${q}&space_id=${spaceIdOf(space)}`)
        .expect(200)
      return [await found(q, { space_id: spaceIdOf(space) }), decisions.map(({ text }: { text: string }) => text)]
    }
    expect(await both('from:bob')).toEqual([['The wind is strong'], ['Stay in the port']])
    expect(await both('from:codename')).toEqual([[], []])
  })
})

describe('in:', () => {
  beforeAll(async () => {
    await say(ada, plans, 'Mountains here')
    await say(ada, old, 'Mountains there')
  })

  it('searches the named spaces, and overrides space_id', async () => {
    const [here, there] = [spaceIdOf(plans), spaceIdOf(old)]
    expect(await found(`mountains in:${there}`)).toEqual(['Mountains there'])
    expect(await found(`mountains in:${there} in:${here}`)).toEqual(['Mountains there', 'Mountains here'])
    expect(await found(`mountains in:${there}`, { space_id: here })).toEqual(['Mountains there'])
  })

  it('returns 404 for a space that the caller cannot see', async () => {
    const path = '/api/spaces/hidden-plans'
    await h.as(ada).post('/api/spaces', { space_id: 'hidden-plans', visibility: 'private' }).expect(200)
    await say(ada, path, 'Mountains in secret')
    for (const space of ['hidden-plans', 'nowhere']) {
      await h.as(grace).get(`/api/search?q=mountains+in:${space}`).expect(404, 'Space not found')
    }
    expect(await found('from:ada secret', {}, grace)).toEqual([])
  })
})

describe('before: and after:', () => {
  let space: string
  const DAY = 24 * 3_600
  beforeAll(async () => {
    space = await h.openSpace(ada)
    // Two years of events, with a rare and a common word.
    const text = (n: number) => `tide${n % 90 === 0 ? ' spring' : ''} ${n}`
    await fillSpace(h.connection, space, ada, { count: 2_920, every: DAY / 4, text })
  })

  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY * 1_000).toISOString().slice(0, 10)

  it.each([
    ['tide', 20],
    ['tide', 100],
    ['spring', 20],
    ['', 50],
  ])('find the same events for %j as a full read of the history, with limit %i', async (word, limit) => {
    const all = await h.as(ada).get(`${space}/transcript`).expect(200)
    for (const [before, after] of [
      [day(0), null],
      [day(400), null],
      [day(700), day(710)],
      [null, day(20)],
      [day(100), day(90)],
    ]) {
      const q = [word, before && `before:${before}`, after && `after:${after}`].filter(Boolean).join(' ')
      const expected = all
        .filter(({ text }: { text: string }) => text.split(' ').includes(word || 'tide'))
        .filter(({ timestamp }: { timestamp: string }) => !before || timestamp < before)
        .filter(({ timestamp }: { timestamp: string }) => !after || timestamp.slice(0, 10) > after)
        .reverse()
        .slice(0, limit)
      const texts = await found(q, { space_id: spaceIdOf(space), limit: String(limit) })
      expect(texts, q).toEqual(expected.map(({ text }: { text: string }) => text))
    }
  })

  it('combine with sort=relevance', async () => {
    const more = { space_id: spaceIdOf(space), sort: 'relevance' }
    const texts = await found(`spring before:${day(365)}`, more)
    expect(texts).toHaveLength(16)
  })

  it('return 400 without a date', async () => {
    await h
      .as(ada)
      .get('/api/search?q=before:lunch')
      .expect(400, 'q: before: needs a date, such as 2026-11-28, 2026-11 or 2026; put words in quotes')
  })
})

it('operators without words find no retraction', async () => {
  const space = await h.openSpace(ada)
  const { event_id } = await say(ada, space, 'Ship it')
  await say(ada, space, 'Wrong space', { retracts: event_id })
  await say(ada, space, 'Hello')
  for (const q of ['from:ada', 'after:2020', 'from:ada -ship', 'from:ada nonsense or -ship'])
    expect(await found(q, { space_id: spaceIdOf(space) }), q).toEqual(['Hello'])
})

describe('has:file and is:thread', () => {
  it('find events with files, and events in threads', async () => {
    const space = await h.openSpace(ada)
    const headers = { 'content-type': 'text/plain' }
    const { file_id } = await h.as(ada).post(`${space}/files?name=map.txt`, Buffer.from('map'), { headers }).expect(200)
    const first = await say(ada, space, 'The map', { file_ids: [file_id] })
    const { thread_id } = await h
      .as(ada)
      .post(`${space}/threads`, { parent_event_id: first.event_id, subject: 'Map' })
      .expect(200)
    await say(ada, space, 'No map', { thread_id })
    const more = { space_id: spaceIdOf(space) }
    expect(await found('map has:file', more)).toEqual(['The map'])
    expect(await found('has:file', more)).toEqual(['The map'])
    expect(await found('is:thread', more)).toEqual(['No map'])
    expect(await found('has:file is:thread', more)).toEqual([])
    expect(await found('map', more)).toEqual(['No map', 'The map'])
    await h.as(ada).delete(`${space}/files/${file_id}`).expect(200)
    expect(await found('has:file', more)).toEqual([])
  })
})

describe('decisions', () => {
  it('are found by the same operators', async () => {
    const space = await h.openSpace(ada)
    for (const [actor, text] of [
      [ada, 'Take the ferry'],
      [scout, 'Take the train'],
    ] as const) {
      await h.as(actor).post(`${space}/join`).expect(200)
      await h.as(actor).post(`${space}/decisions`, { proposed_by: actor.actor_id, text }).expect(200)
    }
    const decisions = async (q: string) => {
      const matches = await h
        .as(ada)
        .get(`/api/search/decisions?${new URLSearchParams({ q })}`)
        .expect(200)
      return matches.map(({ text }: { text: string }) => text)
    }
    expect(await decisions(`in:${spaceIdOf(space)} is:decision`)).toEqual(['Take the train', 'Take the ferry'])
    expect(await decisions(`take from:scout in:${spaceIdOf(space)}`)).toEqual(['Take the train'])
    expect(await decisions(`take before:2020 in:${spaceIdOf(space)}`)).toEqual([])
    expect(await decisions(`take has:file in:${spaceIdOf(space)}`)).toEqual([])
    await h.as(ada).get('/api/search?q=is:decision').expect(400, 'q: is:decision is for GET /api/search/decisions')
  })
})
