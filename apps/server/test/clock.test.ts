import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { query, useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'

const AHEAD = new URL('./support/ahead.mjs', import.meta.url)
const h = useProgram({ NODE_OPTIONS: `--import=${AHEAD}` })

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Returns the named times in an answer, except when something expires or ends. */
function timesIn(value: unknown, name = ''): [name: string, time: number][] {
  if (typeof value === 'string' && TIME.test(value) && !/expires|until/.test(name)) return [[name, Date.parse(value)]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => timesIn(inner, Number.isNaN(Number(key)) ? key : name))
}

const databaseTime = async () =>
  (await query(h.connection, 'SELECT clock_timestamp() AS now')).rows[0].now.getTime() as number

describe('a server whose clock is 97 minutes ahead of the database', () => {
  it('stores and returns no time in the future of the database', async () => {
    const ada = await h.registerHuman()
    const scout = await h.registerAgent(ada)
    const path = await h.openSpace(ada)
    const as = h.as(ada)
    const post = (to: string, body: object = {}) => as.post(to, body).expect(200)
    const agent = `/api/actors/${scout.actor_id}`
    const event = await post(`${path}/speech`, { text: 'Hello' })
    const decision = await post(`${path}/decisions`, { proposed_by: 'Ada', text: 'Go' })
    const token = await post('/api/personal-access-tokens', { name: 'ci' })
    const answers: unknown[] = [
      ada,
      scout,
      event,
      decision,
      token,
      await post(`${path}/join`),
      await post(`${path}/threads`, { parent_event_id: event.event_id, subject: 'Plan' }),
      await post(`${path}/links`, { target_uri: 'https://example.org' }),
      await post(`${agent}/connect`, { installation_id: 'laptop' }),
      await post(`${agent}/stop`, { reason: 'Enough' }),
      await as.get(`${path}/context`).expect(200),
      await as.get(`${path}/status`).expect(200),
      await as.get(`${path}/participants`).expect(200),
      await as.get('/api/personal-access-tokens').expect(200),
      await post('/api/tenants', { name: 'Acme' }),
      await post('/api/invites'),
    ]
    const times = timesIn(answers)
    expect(new Set(times.map(([name]) => name))).toContain('started_at')
    expect(times.length).toBeGreaterThan(15)
    const now = await databaseTime()
    for (const [name, time] of times) expect(`${name}: ${time <= now}`).toBe(`${name}: true`)
  })

  it('stamps events with the time of the database', async () => {
    const { client, path } = await h.adasSpace()
    const { started_at } = await client.get(`${path}/status`).expect(200)
    const before = await databaseTime()
    const { timestamp } = await client.post(`${path}/speech`, { text: 'Hello' }).expect(200)
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before)
    expect(timestamp > started_at).toBe(true)
  })

  it('expires credentials by the time of the database', async () => {
    const { client } = await h.adasSpace()
    const expires_at = new Date((await databaseTime()) + HOUR_MS).toISOString()
    const { token } = await client.post('/api/personal-access-tokens', { name: 'ci', expires_at }).expect(200)
    await h.as(token).get('/api/actors/me').expect(200)
    const past = new Date((await databaseTime()) - MINUTE_MS).toISOString()
    await client.post('/api/personal-access-tokens', { name: 'ci', expires_at: past }).expect(400, /^expires_at/)
  })

  it('expires decisions by the time of the database', async () => {
    const { client, path } = await h.adasSpace()
    const decisions = `${path}/decisions`
    const expires_at = new Date((await databaseTime()) + MINUTE_MS).toISOString()
    const action = { type: 'deploy', arguments: {} }
    const sent = { proposed_by: 'Ada', text: 'Go', action, expires_at }
    const { decision_id, is_expired, ...decision } = await client.post(decisions, sent).expect(200)
    expect(is_expired).toBe(false)
    const settlement = { resolved_by: 'Ada', resolution: 'Yes', status: 'resolved' }
    await client.put(`${decisions}/${decision_id}/resolve`, settlement).expect(200)
    expect(await client.get(`${decisions}/${decision_id}`).expect(200)).toMatchObject({ is_expired: false })
    await client.post(`${decisions}/${decision_id}/use`, { digest: decision.action.digest }).expect(200)
    const past = new Date((await databaseTime()) - 1).toISOString()
    await client.post(decisions, { ...sent, expires_at: past }).expect(400, 'expires_at: must be in the future')
  })
})

/** Names of source files that may read the clock of the process; `new.ts` names a migration. */
const MAY_LOOK = ['clock.ts', 'new.ts']

it("the server's code reads no clock of its own", async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  for (const directory of ['apps/server/src', 'packages/api/src', 'packages/db/src', 'packages/operator/src']) {
    const entries = await readdir(join(root, directory), { recursive: true, withFileTypes: true })
    const files = entries.filter(({ name }) => /(?<!\.test)\.ts$/.test(name) && !MAY_LOOK.includes(name))
    for (const { parentPath, name } of files) {
      const text = await readFile(join(parentPath, name), 'utf8')
      expect(/new Date\(\)|Date\.now\(\)/.test(text) ? relative(root, join(parentPath, name)) : null).toBeNull()
    }
  }
})
