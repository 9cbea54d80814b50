import { type Actor, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { fillSpace } from './support/history.js'
import { useServer } from './support/server.js'

const h = useServer()

/** Seconds between the events of a space, and how many there are; all end now. */
const SPACES = {
  busy: { count: 40_000, every: 0.01 },
  calm: { count: 200, every: 7 },
  // One event only, while the other spaces continue.
  new: { count: 1, every: 1 },
  // More events with one timestamp than the first query reads.
  bulk: { count: 900, every: 0 },
} as const

/** Which events contain each word. */
const FREQUENCIES: Record<string, (n: number) => boolean> = {
  common: () => true,
  frequent: (n) => n % 30 === 0,
  middling: (n) => n % 400 === 0,
  scarce: (n) => n % 9_000 === 0,
  first: (n) => n === 1,
  甲乙丙: (n) => n % 70 === 0,
}

interface PostedEvent {
  readonly event_id: string
  readonly timestamp: string
  readonly text: string
}
interface Match extends PostedEvent {
  readonly space_id: string
  readonly snippet: string
}

let ada: Actor
let silent: string
const ids: string[] = []
/** All events of each space, in order. */
const logs = new Map<string, readonly PostedEvent[]>()

beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  const words = Object.entries(FREQUENCIES)
  const text = (n: number) => words.flatMap(([word, isSaid]) => (isSaid(n) ? word : [])).join(' ')
  for (const past of Object.values(SPACES)) {
    const path = await h.openSpace(ada)
    await h.as(ada).post(`${path}/join`).expect(200)
    await fillSpace(h.connection, path, ada, { ...past, text })
    ids.push(spaceIdOf(path))
  }
  silent = spaceIdOf(await h.openSpace(ada))
  await h.as(ada).post(`/api/spaces/${silent}/join`).expect(200)
  for (const id of ids) logs.set(id, await h.as(ada).get(`/api/spaces/${id}/transcript`).expect(200))
})

/** Returns the times of the newest matches, from a full read of the histories. */
function newest(spaceIds: readonly string[], isMeant: (text: string) => boolean, limit: number): string[] {
  const all = spaceIds.flatMap((id) => logs.get(id) ?? []).filter(({ text }) => isMeant(text))
  const times = all.map(({ timestamp }) => timestamp)
  return times.sort().reverse().slice(0, limit)
}

const find = (parameters: Record<string, string>, by = h.as(ada)): Promise<Match[]> =>
  by.get(`/api/search?${new URLSearchParams(parameters)}`).expect(200)

const words = (text: string) => text.split(' ')
const MEANT: Record<string, (text: string) => boolean> = {
  ...Object.fromEntries(Object.keys(FREQUENCIES).map((word) => [word, (text: string) => words(text).includes(word)])),
  'common frequent': (text) => words(text).includes('frequent'),
  '"common middling"': (text) => text.includes('common middling'),
  'frequent "middling"': (text) => words(text).includes('frequent') && words(text).includes('middling'),
  'scarce or first': (text) => /scarce|first/.test(text),
  'middling -frequent': (text) => words(text).includes('middling') && !words(text).includes('frequent'),
  'the of': () => false,
  absent: () => false,
}

it.each(Object.keys(MEANT).flatMap((q) => ['1', '20', '100'].map((limit) => [q, limit] as const)))(
  'finds the newest matches of %j in busy and quiet spaces, with limit %s',
  async (q, limit) => {
    const isMeant = MEANT[q] as (text: string) => boolean
    const found = await find({ q, limit })
    expect(found.map(({ timestamp }) => timestamp)).toEqual(newest(ids, isMeant, Number(limit)))
    expect(new Set(found.map(({ event_id }) => event_id)).size).toBe(found.length)
    for (const { text } of found) expect(isMeant(text)).toBe(true)
    for (const id of ids) {
      const inside = await find({ q, limit, space_id: id })
      expect(inside.map(({ timestamp }) => timestamp)).toEqual(newest([id], isMeant, Number(limit)))
    }
  },
)

it('finds nothing in an empty space', async () => {
  expect(await find({ q: 'common', space_id: silent })).toEqual([])
})

it('sorts the matches of all spaces by relevance', async () => {
  expect(await find({ q: 'first', sort: 'relevance' })).toHaveLength(ids.length)
})

it('searches only spaces that the caller has joined and that the token opens', async () => {
  const [busy, calm, young] = ids as [string, string, string]
  const guest = await h.registerHuman('Eve')
  expect(await find({ q: 'first' }, h.as(guest))).toEqual([])
  for (const id of [busy, calm, young]) await h.as(guest).post(`/api/spaces/${id}/join`).expect(200)
  const spacesOf = async (by = h.as(guest)) => (await find({ q: 'first' }, by)).map(({ space_id }) => space_id).sort()
  expect(await spacesOf()).toEqual([busy, calm, young].sort())

  const { token } = await h
    .as(guest)
    .post('/api/personal-access-tokens', { name: 'narrow', space_ids: [calm, busy] })
    .expect(200)
  expect(await spacesOf(h.as({ ...guest, api_key: token }))).toEqual([busy, calm].sort())

  await h.as(guest).post(`/api/spaces/${busy}/leave`).expect(200)
  expect(await spacesOf()).toEqual([calm, young].sort())
})

it('returns long events that take several queries to read', async () => {
  const long = (n: number) => (n % 60 === 0 ? `seldom ${'x'.repeat(40_000)}${n}` : 'often')
  const path = await h.openSpace(ada)
  await fillSpace(h.connection, path, ada, { count: 1_000, every: 1, text: long })
  const found = await find({ q: 'seldom', limit: '12', space_id: spaceIdOf(path) })
  expect(found.map(({ text }) => text)).toEqual(Array.from({ length: 12 }, (_, n) => long(960 - n * 60)))
  for (const { snippet } of found) expect(snippet).toMatch(/^«seldom»/)
})
