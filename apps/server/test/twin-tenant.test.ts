import { type Actor, query } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Operation, operations } from './support/document.js'
import { useServer } from './support/server.js'
import { foundTenant } from './support/tenant.js'
import { TWIN, Twin } from './support/twin.js'
import { openWorld, type Request, type World } from './support/world.js'

/**
 * A missing condition on the tenant goes unnoticed while ids differ between tenants. So here, another tenant has the
 * same ids everywhere.
 */
const h = useServer()

async function openTenant(): Promise<{ tenant: string; actor: Actor; world: World }> {
  const tenant = await foundTenant(h.connection)
  return { tenant, ...(await openWorld(h, h.connection, tenant)) }
}

/** Fields of answers that depend on the time of the request. */
const OF_THE_CLOCK = ['since', 'window_start', 'window_end']

const titled = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

describe('beside a tenant with the same ids', () => {
  const reading = titled.filter(([, { method }]) => method === 'GET')
  const before = new Map<string, unknown>()
  const requests = new Map<string, Request>()
  let reader: World
  let twin: Twin

  const read = async ({ method, path, body }: Request) => {
    const answer = await reader.owner.send(method, path, body).expect(200)
    return JSON.parse(JSON.stringify(answer ?? null), (name, value) => (OF_THE_CLOCK.includes(name) ? null : value))
  }

  beforeAll(async () => {
    const { tenant, actor, world } = await openTenant()
    reader = world
    await world.everything()
    // Disabled, so that events here cause no further attempts.
    const webhook = `/api/webhooks/${await world.id('webhook_id')}`
    await world.owner.patch(webhook, { disabled: true }).expect(200)
    await world.owner.post(`${webhook}/test`).expect(200)
    const metadata = { mentions: [actor.actor_id] }
    await world.owner.post(`/api/spaces/${await world.id('space_id')}/speech`, { text: 'Ada?', metadata }).expect(200)
    const through = [{ space_id: await world.id('space_id'), event_id: await world.id('event_id') }]
    await world.owner.post('/api/actors/me/inbox/done', { through }).expect(200)
    for (const done of ['inbox_snooze', 'reaction_add']) {
      await world.perform(operations.find(({ id }) => id === done) as Operation).expect(200)
    }
    await query(
      h.connection,
      `INSERT INTO notices (tenant_id, actor_id, kind, subject, source_id, details) VALUES ($1, $2, 'review_due', 'x', $2, '{}')`,
      [tenant, actor.actor_id],
    )
    await query(
      h.connection,
      `INSERT INTO notification_channels (tenant_id, channel_id, actor_id, kind, address, created_at, due_at)
       VALUES ($1, gen_random_uuid(), $2, 'email', 'ada@example.org', now(), now())`,
      [tenant, actor.actor_id],
    )
    await world.owner.put(`/api/actors/me/blocks/${await world.id('actor_id')}`).expect(200)
    await world.owner.put('/api/actors/me/notifications', { delay_minutes: 30 }).expect(200)
    await world.owner.put(`/api/spaces/${await world.id('space_id')}/preferences`, { pinned: true }).expect(200)
    await world.owner.put(`/api/spaces/${await world.id('space_id')}/policy`, { settle: { approvals: 1 } }).expect(200)
    const { code } = await world.owner.post('/api/invites', {}).expect(200)
    const other = await h.post('/api/actors', { display_name: 'Bob', email: 'bob@example.org', code }).expect(200)
    await world.owner
      .patch(`/api/spaces/${await world.id('space_id')}`, { owners: [actor.actor_id, other.actor_id] })
      .expect(200)
    for (const [title, operation] of reading) requests.set(title, await world.request(operation))
    for (const [title, request] of requests) before.set(title, await read(request))
    twin = await Twin.of(h.connection, tenant)
  })

  it.each(reading)('%s returns the same as before', async (title) => {
    expect(await read(requests.get(title) as Request)).toEqual(before.get(title))
  })

  it('every table has rows of the twin that could have been returned', async () => {
    const rows = await twin.rows()
    for (const [table, found] of Object.entries(rows)) expect(found.length, table).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).toContain(TWIN)
  })

  it.each(titled.filter(([, { method }]) => method !== 'GET'))('%s changes no twin row', async (_title, operation) => {
    const { tenant, world } = await openTenant()
    const { method, path, body } = await world.request(operation)
    const twin = await Twin.of(h.connection, tenant)
    const rows = await twin.rows()
    const answer = await world.owner.send(method, path, body)
    answer.expect(200)
    expect(answer.text).not.toContain(TWIN)
    expect(await twin.rows()).toEqual(rows)
  })
})
