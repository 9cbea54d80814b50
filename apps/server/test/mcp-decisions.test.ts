import { type Actor, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { CLIENTS, useMcpClients } from './support/mcp.js'
import { useServer } from './support/server.js'

const h = useServer()
const connected = useMcpClients()
const [, , connect] = CLIENTS[0] as (typeof CLIENTS)[number]

let ada: Actor
let scout: Actor
beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  scout = await h.registerAgent(ada, 'Scout')
})

const propose = async (path: string, text: string, more: object = {}) =>
  (
    await h
      .as(ada)
      .post(`${path}/decisions`, { text, proposed_by: 'Ada', ...more })
      .expect(200)
  ).decision_id as string

it('lists the decisions of all joined spaces or of one, by status and filter', async () => {
  const [here, there, elsewhere] = [await h.openSpace(ada), await h.openSpace(ada), await h.openSpace(ada)]
  const agent = await h.registerAgent(ada, 'Lister')
  for (const path of [here, there]) await h.as(agent).post(`${path}/join`).expect(200)
  const first = await propose(here, 'To the sea')
  const mine = await propose(there, 'By train', { assignees: [agent.actor_id] })
  const foreign = await propose(elsewhere, 'Not joined')
  const settled = await propose(here, 'In June')
  const outcome = { resolved_by: 'Ada', resolution: 'Yes', status: 'resolved' }
  await h.as(ada).put(`${here}/decisions/${settled}/resolve`, outcome).expect(200)

  const mcp = await connected(connect, h.url, agent.api_key)
  const list = async (input: object) => {
    const { content, text, isError } = await mcp.call('list_decisions', input)
    expect(isError, text).toBe(false)
    return content.decisions.map(({ decision_id }: { decision_id: string }) => decision_id)
  }
  expect(await list({})).toEqual([settled, mine, first])
  expect(await list({ status: 'proposed' })).toEqual([mine, first])
  expect(await list({ filter: 'waiting' })).toEqual([mine, first])
  expect(await list({ filter: 'waiting_for_me' })).toEqual([mine])
  expect(await list({ filter: 'in_force' })).toEqual([settled])
  expect(await list({ space_id: spaceIdOf(here), filter: 'waiting' })).toEqual([first])
  expect(await list({ space_id: spaceIdOf(elsewhere) })).toEqual([foreign])
  const page = await mcp.call('list_decisions', { limit: 1 })
  expect(await list({ limit: 1, cursor: page.content.next_cursor })).toEqual([mine])
  expect(await mcp.call('list_decisions', { filter: 'mine' })).toMatchObject({
    isError: true,
    content: { status: 400 },
  })
  expect(await mcp.call('list_decisions', { space_id: 'nowhere' })).toMatchObject({ content: { status: 404 } })
})

it('discusses a decision in its one thread', async () => {
  const path = await h.openSpace(ada)
  const space_id = spaceIdOf(path)
  const decision_id = await propose(path, '**Where** to\ngo next')
  const mcp = await connected(connect, h.url, scout.api_key)
  const say = (text: string, more: object = {}) => mcp.call('say', { space_id, text, decision_id, ...more })
  const once = { idempotency_key: 'first' }
  const { event } = (await say('Why the sea?', once)).content
  expect((await say('Why the sea?', once)).content.event).toEqual(event)
  const files = [{ name: 'map.txt', text: 'Here' }]
  const second = (await say('Look', { files })).content.event
  expect(second).toMatchObject({ thread_id: event.thread_id, files: [{ name: 'map.txt' }] })
  const [thread, ...others] = await h.as(ada).get(`${path}/threads`).expect(200)
  expect([others, thread]).toEqual([[], expect.objectContaining({ decision_id, event_count: 2 })])
  expect(thread).toMatchObject({ thread_id: event.thread_id, subject: '**Where** to go next' })
  const { text, content } = await mcp.call('list_decisions', { space_id })
  expect(content.decisions).toMatchObject([{ decision_id, thread_id: event.thread_id }])
  expect(text).toContain(`thread="${event.thread_id}"`)
  // The thread is in the proposer's inbox.
  const { items } = await h.as(ada).get('/api/actors/me/inbox').expect(200)
  expect(items.map((item: { event: { event_id: string } }) => item.event.event_id)).toContain(event.event_id)
})

it('refuses to discuss an unknown decision, or one combined with another thread or event', async () => {
  const path = await h.openSpace(ada)
  const space_id = spaceIdOf(path)
  const mcp = await connected(connect, h.url, scout.api_key)
  const decision_id = await propose(path, 'Go')
  const say = async (more: object) => {
    const { content, isError } = await mcp.call('say', { space_id, text: 'Hm', decision_id, ...more })
    expect(isError).toBe(true)
    return [content.status, content.detail]
  }
  expect(await say({ decision_id: 'nothing' })).toEqual([404, 'Decision not found'])
  for (const field of ['thread_id', 'parent_event_id', 'corrects', 'retracts']) {
    expect(await say({ [field]: decision_id })).toEqual([400, `decision_id: cannot be combined with ${field}`])
  }
  const claim = { claim_id: decision_id, fence: 1 }
  expect((await say({ claim }))[0]).toBe(409)
  expect((await say({ text: '' }))[0]).toBe(400)
  await h.as(ada).patch(path, { status: 'paused' }).expect(200)
  expect(await say({})).toEqual([409, 'Space is not active'])
  expect(await h.as(ada).get(`${path}/threads`).expect(200)).toEqual([])
})
