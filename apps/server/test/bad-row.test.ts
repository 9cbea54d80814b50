import { type Database, openDatabase } from '@collab-spaces/db'
import { type Actor, DATABASE_PATIENCE_MS, eventually, query } from '@collab-spaces/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()

let database: Database
let ada: Actor
let scout: Actor
let path: string
let spaceId: string

beforeAll(async () => {
  database = await openDatabase({
    connection: h.connection,
    poolSize: 2,
    timeoutMs: DATABASE_PATIENCE_MS,
    log: () => {},
  })
  ada = await h.registerHuman('Ada')
  scout = await h.registerAgent(ada, 'Scout')
  path = await h.openSpace(ada)
  spaceId = path.split('/').at(-1) as string
})
afterAll(() => database?.close())

/** A row of one tenant must not stop what serves all tenants at once. */
describe('an unreadable row', () => {
  it('does not stop deliveries to another webhook', async () => {
    await query(h.connection, 'UPDATE api_keys SET limits = NULL')
    await h.as(scout).post(`${path}/join`).expect(200)
    const webhooks = []
    for (const actor of [ada, scout]) {
      const body = { url: 'https://127.0.0.1:9/', inbox_of: actor.actor_id }
      webhooks.push(await h.as(actor).post('/api/webhooks', body).expect(200))
    }
    await query(h.connection, 'UPDATE webhooks SET verified_at = now()')
    const metadata = { mentions: [ada.actor_id, scout.actor_id] }
    const bob = await h.registerHuman('Bob')
    await h.as(bob).post(`${path}/speech`, { text: 'Both', metadata }).expect(200)
    const [{ tenant_id: tenantId }] = (await query(h.connection, 'SELECT tenant_id FROM webhooks')).rows
    const pieces = webhooks.map(({ webhook_id }) => ({ tenantId, webhookId: webhook_id, after: '' }))
    for (const limits of ['"nothing"', '[]', '{}', '{"scopes": 3, "space_ids": 4}']) {
      await query(h.connection, 'UPDATE api_keys SET limits = $2 WHERE actor_id = $1', [scout.actor_id, limits])
      const found = await database.webhookDeliveries.overlooked(pieces)
      expect(found.map(({ webhookId }) => webhookId)).toEqual([webhooks[0]?.webhook_id])
      await h.as(scout).get('/api/actors/me').expect(500)
    }
    await h.as(ada).get('/api/actors/me').expect(200)
    await query(h.connection, 'UPDATE api_keys SET limits = NULL WHERE actor_id = $1', [scout.actor_id])
  })

  it('does not stop notifications of another channel', async () => {
    const channels: string[] = []
    for (const value of ['{}', `{"${spaceId}": "nothing"}`, `{"${spaceId}": 1e300}`, '[]']) {
      const { rows } = await query(
        h.connection,
        `INSERT INTO notification_channels (tenant_id, channel_id, actor_id, kind, address, verified_at, created_at, told, due_at)
         SELECT tenant_id, gen_random_uuid(), actor_id, 'email', 'ada@example.org', now(), now(), $2, now()
         FROM actors WHERE actor_id = $1 RETURNING channel_id`,
        [ada.actor_id, value],
      )
      channels.push(rows[0].channel_id)
    }
    const due = await database.notifications.due('email', [])
    expect(due.map(({ channelId }) => channelId)).toContain(channels[0])
  })

  it('does not delay the notice of another review', async () => {
    const decisions: { decision_id: string }[] = []
    for (const text of ['First', 'Second']) {
      const body = { text, proposed_by: 'Scout', review_at: '2030-01-01', assignees: [ada.actor_id] }
      decisions.push(await h.as(scout).post(`${path}/decisions`, body).expect(200))
    }
    await query(h.connection, `UPDATE decisions SET assignees = '{usr_of_nobody}' WHERE decision_id = $1`, [
      decisions[0]?.decision_id,
    ])
    await query(h.connection, 'UPDATE decisions SET review_at = now()')
    await eventually(async () => {
      const { notices } = await h.as(ada).get('/api/actors/me/inbox').expect(200)
      return notices.some(
        ({ kind, details }: { kind: string; details: { decision_id: string } }) =>
          kind === 'review_due' && details.decision_id === decisions[1]?.decision_id,
      )
    })
  })
})
