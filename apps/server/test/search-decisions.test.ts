import type { Actor, Client } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()

let ada: Actor
let api: Client
let plans: string
let journey: string
beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  api = h.as(ada)
  ;[plans, journey] = [await h.openSpace(ada), await h.openSpace(ada)]
  await propose(plans, 'Take the early train')
  const settled = await propose(plans, 'Take the night train')
  const outcome = { resolved_by: 'Ada', resolution: 'It saves 100% of a hotel', status: 'resolved' }
  await api.put(`${plans}/decisions/${settled}/resolve`, outcome).expect(200)
  await propose(journey, 'Train for the walk')
  await propose(journey, `Something long ${'.'.repeat(2_000)}`)
})

const propose = async (space: string, text: string): Promise<string> =>
  (await api.post(`${space}/decisions`, { proposed_by: 'Ada', text }).expect(200)).decision_id

const idOf = (space: string) => space.split('/').at(-1) ?? ''
const find = async (q: string, where: Record<string, string> = {}) =>
  (await api.get(`/api/search/decisions?${new URLSearchParams({ q, ...where })}`).expect(200)) as {
    text: string
    status: string
  }[]
const textsOf = async (q: string, where = {}) => (await find(q, where)).map(({ text }) => text)

it('lists open decisions first, then the newest, of all joined spaces', async () => {
  for (const space of [plans, journey]) await api.post(`${space}/join`)
  expect(await textsOf('train')).toEqual(['Train for the walk', 'Take the early train', 'Take the night train'])
})

it('matches beginnings of words, phrases, exclusions and the resolution', async () => {
  expect(await textsOf('tra ear')).toEqual(['Take the early train'])
  expect(await textsOf('100%')).toEqual(['Take the night train'])
  expect(await textsOf('"early train"')).toEqual(['Take the early train'])
  expect(await textsOf('train -early -walk')).toEqual(['Take the night train'])
  expect(await textsOf('walk or night')).toEqual(['Train for the walk', 'Take the night train'])
  expect(await textsOf('1000%')).toEqual([])
})

it('finds versions, Arabic variants and emoji, as in events', async () => {
  const space = await h.openSpace(ada)
  const text = 'Ship v1.2.3-beta.4 on python3.12 🥕: we can\u2019t use C++ for كتاب ١٢٣'
  await propose(space, text)
  for (const q of ['1.2.3', 'v1.2.3-beta', '3.12', '🥕', "can't", 'C++', 'کتاب', '123', 'ship 🥕 -🚀'])
    expect(await textsOf(q, { space_id: idOf(space) }), q).toEqual([text])
  for (const q of ['1.2.4', '🚀', 'C#', 'ship -🥕']) expect(await textsOf(q, { space_id: idOf(space) }), q).toEqual([])
})

it('ignores accents, as in events', async () => {
  const space = await h.openSpace(ada)
  await propose(space, 'Résumé of the café, for José')
  for (const q of ['resume', 'Résumé', 'cafe', '"the café"', 'jose -jane', 'RÉSUMÉ'])
    expect(await textsOf(q, { space_id: idOf(space) }), q).toHaveLength(1)
  for (const q of ['résumés', 'jose -cafe']) expect(await textsOf(q, { space_id: idOf(space) }), q).toEqual([])
})

it('takes space_id and limit, and truncates long texts', async () => {
  expect(await textsOf('train', { space_id: idOf(journey) })).toEqual(['Train for the walk'])
  expect(await textsOf('train', { limit: '1' })).toHaveLength(1)
  expect((await find('something'))[0]?.text).toHaveLength(1_000)
})

it('returns nothing of spaces that the caller has not joined, and 404 for an unknown space', async () => {
  const grace = h.as(await h.registerHuman('Grace'))
  expect(await grace.get(`/api/search/decisions?q=train`).expect(200)).toEqual([])
  await grace.get(`/api/search/decisions?q=train&space_id=nowhere`).expect(404)
})
