import { type Database, type NewNotice, openDatabase } from '@collab-spaces/db'
import { DEFAULT_TENANT, LIMITS, NO_LIMITS, viewerOf } from '@collab-spaces/domain'
import { type Actor, eventually, query, servingConnection, spaceIdOf } from '@collab-spaces/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()
let database: Database
let ada: Actor

beforeAll(async () => {
  database = await openDatabase({ connection: servingConnection(h.connection), poolSize: 4, log: () => {} })
})
afterAll(() => database?.close())

beforeEach(async () => {
  ada = await h.registerHuman()
})

const notice = (subject: string, details: NewNotice['details'] = {}): NewNotice => ({
  tenantId: DEFAULT_TENANT,
  actorId: ada.actor_id,
  kind: 'review_due',
  subject,
  sourceId: ada.actor_id,
  spaceId: null,
  details,
})
const viewer = (actorId: string) =>
  Object.assign(viewerOf({ tenantId: DEFAULT_TENANT, actorId, isGuest: false, limits: NO_LIMITS }), {
    actorType: 'human' as const,
  })
const dismiss = (noticeIds: readonly string[], actor = ada) =>
  database.notices.dismiss(viewer(actor.actor_id), noticeIds)
const list = () => database.notices.list(viewer(ada.actor_id), false)
/** Raises a notice, and waits for the next millisecond: notices of the same one have no order. */
const raiseBeforeOthers = async (raised: NewNotice) => {
  await database.notices.raise([raised])
  const raisedBy = Date.now()
  await eventually(() => Date.now() > raisedBy)
}
const details = async () => (await list()).map((raised) => raised.details)

it('lists notices, oldest first, until they are marked as done', async () => {
  const spaceId = spaceIdOf(await h.openSpace(ada))
  await raiseBeforeOthers({ ...notice('one', { n: 1 }), spaceId })
  await raiseBeforeOthers(notice('two', { n: 2 }))
  const [one, two] = await list()
  expect([one, two]).toMatchObject([
    { kind: 'review_due', spaceId, details: { n: 1 } },
    { kind: 'review_due', spaceId: null, details: { n: 2 } },
  ])
  const done = [one?.noticeId ?? '']
  await dismiss(done)
  await dismiss(done)
  expect(await list()).toEqual([two])
})

it('replaces a notice of the same kind and subject, and keeps it when the old one is marked as done', async () => {
  await database.notices.raise([notice('one', { n: 1 })])
  const [before] = await list()
  await database.notices.raise([notice('one', { n: 2 }), { ...notice('one', { n: 3 }), kind: 'loop_guard' }])
  expect(await details()).toEqual(expect.arrayContaining([{ n: 2 }, { n: 3 }]))
  await dismiss([before?.noticeId ?? ''])
  expect(await details()).toHaveLength(2)
})

it('ignores another actor that marks a notice as done', async () => {
  await database.notices.raise([notice('one')])
  const [raised] = await list()
  const bob = await h.registerHuman('Bob')
  await dismiss([raised?.noticeId ?? ''], bob)
  expect(await list()).toEqual([raised])
})

it('keeps the oldest and newest notices of a kind, and counts those between', async () => {
  const raised = LIMITS.notices + 10
  for (let n = 0; n < raised; n++) await raiseBeforeOthers(notice(`${n}`, { n }))
  const kept = await list()
  const half = LIMITS.notices / 2
  const numbers = [
    ...Array.from({ length: half }, (_, n) => n),
    ...Array.from({ length: half }, (_, n) => raised - half + n),
  ]
  expect(kept.map(({ details }) => details)).toEqual(numbers.map((n) => ({ n })))
  expect(kept.map(({ earlier }) => earlier)).toEqual(numbers.map((n) => (n === raised - half ? 10 : 0)))
})

it('counts the notices that one has replaced', async () => {
  for (let n = 0; n < 3; n++) await database.notices.raise([notice('one', { n })])
  expect(await list()).toMatchObject([{ details: { n: 2 }, earlier: 2 }])
})

it('keeps the largest number of notices across sources, and counts the rest', async () => {
  for (let n = 0; n < LIMITS.notices + 5; n++)
    await database.notices.raise([{ ...notice(`${n}`), sourceId: `usr_${n}` }])
  const kept = await list()
  expect(kept).toHaveLength(LIMITS.notices)
  expect(kept.reduce((sum, { earlier }) => sum + earlier, 0)).toBe(5)
})

it('raises notices for the same actors at once and in any order without a deadlock', async () => {
  const bob = await h.registerHuman('Bob')
  const both = [notice('one'), { ...notice('one'), actorId: bob.actor_id }]
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => database.notices.raise(n % 2 === 0 ? both : both.toReversed())),
  )
  expect(await list()).toHaveLength(1)
  expect(await database.notices.list(viewer(bob.actor_id), false)).toHaveLength(1)
})

it('raises notices of due reviews in turns, so that no tenant delays another', async () => {
  const decisionOf = async (actor: Actor) => {
    const path = await h.openSpace(actor)
    const { decision_id } = await h.as(actor).post(`${path}/decisions`, { proposed_by: 'x', text: 'x' }).expect(200)
    return decision_id
  }
  const [grace, linus] = [await h.registerHuman('Grace'), await h.registerHuman('Linus')]
  for (const actor of [grace, linus]) await h.as(actor).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
  const [many, one] = [await decisionOf(grace), await decisionOf(linus)]
  await query(
    h.connection,
    `WITH due AS (UPDATE decisions SET review_at = now() WHERE decision_id = $2)
     INSERT INTO decisions (tenant_id, space_id, decision_id, proposed_by, text, status, created_at, posted_by, review_at,
       rules_at_proposal)
     SELECT tenant_id, space_id, gen_random_uuid(), proposed_by, text, status, created_at, posted_by, '1970-01-01',
       rules_at_proposal
     FROM decisions, generate_series(1, 250) WHERE decision_id = $1`,
    [many, one],
  )
  const progress = async () => {
    const { rows } = await query(
      h.connection,
      `SELECT count(*)::int AS total, count(review_told_at)::int AS told,
         min(review_told_at) = min(review_told_at) FILTER (WHERE decision_id = $1) AS "isFirst"
       FROM decisions WHERE review_at IS NOT NULL`,
      [one],
    )
    return rows[0]
  }
  await eventually(async () => (await progress())?.told === 251)
  expect(await progress()).toEqual({ total: 251, told: 251, isFirst: true })
  const { notices } = await h.as(linus).get('/api/actors/me/inbox').expect(200)
  expect(notices).toMatchObject([{ kind: 'review_due', details: { decision_id: one } }])
})
