import { randomUUID } from 'node:crypto'
import { type Actor, eventually, query } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { hold } from './support/locks.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'

/** More agents than a statement can have parameters. */
const VERY_MANY = 33_000

const h = useServer({ DATABASE_TIMEOUT: '60' })
const operate = operatorOf(h)

let ada: Actor
beforeEach(async () => {
  ada = await h.registerHuman()
})

/** Creates agents of Ada's, and returns their ids in the order of lists. */
async function makeAgents(count: number): Promise<string[]> {
  const { rows } = await query(
    h.connection,
    `WITH made AS (
       INSERT INTO actors (actor_id, tenant_id, actor_type, display_name, sponsor_id, created_at)
       SELECT 'agt_' || left(md5(sponsor.actor_id || n), 24), tenant_id, 'agent', 'Scout', sponsor.actor_id,
         sponsor.created_at + n / 3 * interval '1 ms'
       FROM actors sponsor, generate_series(1, $2) n WHERE sponsor.actor_id = $1
       RETURNING tenant_id, actor_id, created_at
     ), joined AS (INSERT INTO memberships (tenant_id, actor_id) SELECT tenant_id, actor_id FROM made)
     SELECT actor_id FROM made ORDER BY created_at, actor_id`,
    [ada.actor_id, String(count)],
  )
  return rows.map(({ actor_id }) => actor_id)
}

const stopAll = () => h.as(ada).post('/api/actors/me/agents/stop')
const STOPPED = 'actors WHERE sponsor_id = $1 AND stopped_at IS NOT NULL'
const idsIn = (actors: Actor[]) => actors.map(({ actor_id }) => actor_id)
const count = async (what: string) => {
  const { rows } = await query(h.connection, `SELECT count(*)::int AS count FROM ${what}`, [ada.actor_id])
  return rows[0].count
}

describe('a sponsor of many agents', () => {
  it('stops them in batches, and receives each stopped agent once and in order', async () => {
    const all = await makeAgents(1_203)
    const last = all.at(-1) as string
    const held = await hold(h.connection, 'SELECT FROM actors WHERE actor_id = $1 FOR UPDATE', [last])
    const stopping = stopAll()
    await eventually(async () => (await count(STOPPED)) > 0)
    expect(await count(STOPPED)).toBeLessThan(all.length)
    await held.query('ROLLBACK')
    expect(idsIn(await stopping.expect(200))).toEqual(all)
    expect(await count(STOPPED)).toBe(all.length)
    expect(await count(`memberships JOIN actors USING (actor_id) WHERE sponsor_id = $1 AND NOT is_stopped`)).toBe(0)
    expect(await count(`audit_entries WHERE actor_id = $1 AND action = 'agent.stopped'`)).toBe(all.length)
    expect(await stopAll().expect(200)).toEqual([])
  })

  it('sees them all in a space, once and in the order of joining', async () => {
    const all = await makeAgents(1_203)
    const id = randomUUID()
    const space = await h.openSpace(ada, id)
    await query(
      h.connection,
      `INSERT INTO participants (tenant_id, space_id, actor_id, joined_at)
       SELECT tenant_id, $2, actor_id, created_at FROM actors WHERE sponsor_id = $1`,
      [ada.actor_id, id],
    )
    const listed = await h.as(ada).get(`${space}/participants`).expect(200)
    expect(idsIn(listed)).toEqual(all)
    const { participants, event_count } = await h.as(ada).get(`${space}/status`).expect(200)
    expect(participants).toEqual(listed)
    expect(event_count).toBe(0)
  })

  it('joins and leaves a tenant, is disabled and is deleted together with them', async () => {
    const all = await makeAgents(VERY_MANY)
    const { tenant_id } = await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    expect(await count(`actors WHERE sponsor_id = $1 AND tenant_id = '${tenant_id}'`)).toBe(all.length)
    await h.as(ada).post(`/api/tenants/${tenant_id}/leave`).expect(200)
    expect(await count(`actors WHERE sponsor_id = $1 AND tenant_id = '${tenant_id}'`)).toBe(0)
    await operate('actor', 'disable', ada.actor_id)
    await operate('actor', 'enable', ada.actor_id)
    expect(await count(`audit_entries WHERE action = 'actor.enabled' AND $1 <> ''`)).toBe(all.length + 1)
    await h.as(ada).delete(`/api/actors/${ada.actor_id}`).expect(200)
    expect(await count('actors WHERE sponsor_id = $1 AND deleted_at IS NULL')).toBe(0)
  })
})
