import { type Actor, type Client, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()

let ada: Actor
let api: Client
let plans: string
let journey: string
beforeEach(async () => {
  ada = await h.registerHuman('Ada')
  api = h.as(ada)
  ;[plans, journey] = [await h.openSpace(ada), await h.openSpace(ada)]
  for (const path of [plans, journey]) await api.post(`${path}/join`).expect(200)
})

const propose = async (path: string, text: string, fields: object = {}): Promise<string> =>
  (await api.post(`${path}/decisions`, { proposed_by: 'Ada', text, ...fields }).expect(200)).decision_id
const settle = (path: string, id: string, status: 'resolved' | 'rejected', fields: object = {}) =>
  api
    .put(`${path}/decisions/${id}/resolve`, { resolved_by: 'Ada', resolution: 'So it is', status, ...fields })
    .expect(200)

const list = (where: Record<string, string> = {}) => api.get(`/api/decisions?${new URLSearchParams(where)}`)
const texts = async (where: Record<string, string> = {}) =>
  (await list(where).expect(200)).map(({ text }: { text: string }) => text)

const expire = (id: string) =>
  query(h.connection, `UPDATE decisions SET expires_at = now() - interval '1 s' WHERE decision_id = $1`, [id])

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString()
const ACTION = { type: 'deploy', arguments: { to: 'staging' } }
const OPTIONS = [
  { id: 'go', label: 'Deploy' },
  { id: 'no', label: 'Wait', denies: true },
]

describe('GET /api/decisions', () => {
  it('lists the decisions of joined spaces, newest first, as each space returns them', async () => {
    const first = await propose(plans, 'one')
    await propose(journey, 'two')
    await propose(plans, 'three')
    const elsewhere = await h.openSpace(ada)
    await propose(elsewhere, 'not joined')
    expect(await texts()).toEqual(['three', 'two', 'one'])
    expect((await list().expect(200)).at(-1)).toEqual(await api.get(`${plans}/decisions/${first}`).expect(200))
    expect(await texts({ space_id: spaceIdOf(journey) })).toEqual(['two'])
    expect(await texts({ space_id: spaceIdOf(elsewhere) })).toEqual(['not joined'])
    await list({ space_id: 'nowhere' }).expect(404, 'Space not found')
  })

  it('pages by cursor and limit', async () => {
    for (let n = 0; n < 25; n++) await propose(n % 2 === 0 ? plans : journey, String(n))
    const all = await list({ limit: '50' }).expect(200)
    expect(all.map(({ text }: { text: string }) => text)).toEqual(Array.from({ length: 25 }, (_, n) => String(24 - n)))
    expect(await list().expect(200)).toHaveLength(20)
    const paged: unknown[] = []
    for (let cursor = ''; ; ) {
      const page = await list({ limit: '7', ...(cursor && { cursor }) }).expect(200)
      paged.push(...page)
      if (page.length < 7) break
      cursor = page.at(-1).decision_id
    }
    expect(paged).toEqual(all)
    await list({ cursor: 'last' }).expect(400, 'cursor: must be the id of a decision')
    await list({ limit: '51' }).expect(400)
  })

  it('lists as waiting those that are not settled, superseded or expired', async () => {
    const ids = await Promise.all(['open', 'resolved', 'rejected', 'expired'].map((text) => propose(plans, text)))
    const replaced = await propose(journey, 'replaced')
    const successor = await propose(journey, 'successor', { supersedes: replaced })
    const [, resolved = '', rejected = '', expired = ''] = ids
    await settle(plans, resolved, 'resolved')
    await settle(plans, rejected, 'rejected')
    await expire(expired)
    expect((await texts({ filter: 'waiting' })).toSorted()).toEqual(['open', 'replaced', 'successor'])
    await settle(journey, successor, 'resolved')
    expect(await texts({ filter: 'waiting' })).toEqual(['open'])
    expect((await texts({ status: 'proposed' })).toSorted()).toEqual(['expired', 'open', 'replaced'])
    expect(await texts({ status: 'rejected', filter: 'waiting' })).toEqual([])
  })

  it('lists as waiting for the caller those that are assigned to it', async () => {
    const grace = await h.registerHuman('Grace')
    await h.as(grace).post(`${plans}/join`).expect(200)
    await propose(plans, 'of Ada', { assignees: [ada.actor_id] })
    await propose(plans, 'of Grace', { assignees: [grace.actor_id] })
    const settled = await propose(plans, 'settled', { assignees: [ada.actor_id] })
    await settle(plans, settled, 'rejected')
    expect(await texts({ filter: 'waiting_for_me' })).toEqual(['of Ada'])
    const her = await h.as(grace).get('/api/decisions?filter=waiting_for_me').expect(200)
    expect(her.map(({ text }: { text: string }) => text)).toEqual(['of Grace'])
  })

  it('lists as in force those that are not superseded, denied or expired unused', async () => {
    const old = await propose(plans, 'old')
    await settle(plans, old, 'resolved')
    const next = await propose(plans, 'new', { supersedes: old })
    expect(await texts({ filter: 'in_force' })).toEqual(['old'])
    await settle(plans, next, 'resolved')
    const choose = async (text: string, option: string, fields: object = {}) => {
      const id = await propose(journey, text, { options: OPTIONS, ...fields })
      await settle(journey, id, 'resolved', { option })
      return id
    }
    await choose('chosen without an action', 'no')
    await choose('permitted', 'go', { action: ACTION, expires_at: TOMORROW })
    await choose('denied', 'no', { action: ACTION })
    await expire(await choose('unused', 'go', { action: ACTION }))
    const used = await choose('used', 'go', { action: ACTION, expires_at: TOMORROW })
    const { action } = await api.get(`${journey}/decisions/${used}`).expect(200)
    await api.post(`${journey}/decisions/${used}/use`, { digest: action.digest }).expect(200)
    await expire(used)
    const inForce = ['used', 'permitted', 'chosen without an action', 'new']
    expect(await texts({ filter: 'in_force' })).toEqual(inForce)
    expect(await texts({ filter: 'in_force', space_id: spaceIdOf(plans) })).toEqual(['new'])
  })

  it('leaves out spaces that the credential is not limited to, and spaces that the caller has left', async () => {
    await propose(plans, 'one')
    await propose(journey, 'two')
    const limits = { name: 'One space', scopes: ['read'], space_ids: [spaceIdOf(plans)] }
    const { token } = await api.post('/api/personal-access-tokens', limits).expect(200)
    const seen = await h
      .as({ api_key: token } as Actor)
      .get('/api/decisions')
      .expect(200)
    expect(seen.map(({ text }: { text: string }) => text)).toEqual(['one'])
    await api.post(`${journey}/leave`).expect(200)
    expect(await texts()).toEqual(['one'])
    const other = h.as(await h.registerHuman('Grace'))
    expect(await other.get('/api/decisions').expect(200)).toEqual([])
  })
})
