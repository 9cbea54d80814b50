import { type Actor, type Answer, type Client, eventually, query } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { setTime } from './support/clock.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'

const here = useServer()
const there = useServer({}, here)
const operate = operatorOf(here)

const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'

/** The servers run in this process, so that a test can set their time. */
beforeEach(() => setTime('2026-03-01T22:00:00Z'))

type Founder = Actor & { tenant_id: string }

async function founder(): Promise<Founder> {
  const ada = await here.registerHuman('Ada')
  const { tenant_id } = await here.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
  return { ...ada, tenant_id }
}

const makeToken = (client: Client) => client.post('/api/personal-access-tokens', { name: 'CI' })
const makeAgent = (client: Client) => client.post('/api/actors', { display_name: 'Scout', actor_type: 'agent' })

/**
 * Sets quotas, and waits until both servers have read them. A server reads all quotas of a tenant at once, so one
 * refusal shows that it knows them all.
 */
async function setQuotas(
  ada: Actor,
  tenant: string,
  options: readonly string[],
  [none, make]: readonly [string, (client: Client) => PromiseLike<Answer>] = ['--tokens', makeToken],
): Promise<void> {
  await operate('tenant', 'quota', 'set', tenant, ...options, none, '0')
  for (const server of [here, there]) await eventually(async () => (await make(server.as(ada))).status === 403)
}

const spaceOf = (n: number) => ({ space_id: `space-${n}` })

describe('a quota', () => {
  it('of spaces refuses more, even for concurrent requests to two servers', async () => {
    const [ada, bob] = [await founder(), await founder()]
    await setQuotas(ada, ada.tenant_id, ['--spaces', '3'])
    const asks = [1, 2, 3, 4, 5, 6].map((n) => (n % 2 ? here : there).as(ada).post('/api/spaces', spaceOf(n)))
    const answers = await Promise.all(asks)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(3)
    for (const answer of refused) answer.expect(403, 'The quota of spaces (3) is used up')
    expect(await here.as(ada).get('/api/spaces').expect(200)).toHaveLength(3)
    const [made] = answers.flatMap(({ status }, index) => (status === 200 ? [index + 1] : []))
    await here
      .as(ada)
      .post('/api/spaces', spaceOf(made as number))
      .expect(409)
    await here.as(bob).post('/api/spaces', spaceOf(1)).expect(200)
  })

  it('of agents counts those that are not deleted, and those that an invite would add', async () => {
    const ada = await founder()
    await setQuotas(ada, ada.tenant_id, ['--agents', '1'])
    const scout = await makeAgent(here.as(ada)).expect(200)
    await makeAgent(here.as(ada)).expect(403, 'The quota of agents (1) is used up')
    await here.as(ada).delete(`/api/actors/${scout.actor_id}`).expect(200)
    await makeAgent(here.as(ada)).expect(200)

    const [alone, sponsor] = [await here.registerHuman(), await here.registerHuman()]
    await here.registerAgent(sponsor)
    const { code } = await here.as(ada).post('/api/invites', {}).expect(200)
    await here.as(sponsor).post('/api/invites/redeem', { code }).expect(403, 'The quota of agents (1) is used up')
    expect((await here.as(sponsor).get('/api/actors/me').expect(200)).tenant_id).toBeNull()
    await here.as(alone).post('/api/invites/redeem', { code }).expect(200)
  })

  it('of tokens counts those that are valid', async () => {
    const ada = await founder()
    await setQuotas(ada, ada.tenant_id, ['--tokens', '2'], ['--agents', makeAgent])
    const { pat_id } = await makeToken(here.as(ada)).expect(200)
    await makeToken(there.as(ada)).expect(200)
    await makeToken(here.as(ada)).expect(403, 'The quota of tokens (2) is used up')
    await here.as(ada).delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
    const expiring = await makeToken(here.as(ada)).expect(200)
    await query(here.connection, 'UPDATE personal_access_tokens SET expires_at = now() WHERE pat_id = $1', [
      expiring.pat_id,
    ])
    expect((await used(ada)).tokens).toEqual({ quota: 2, used: 1 })
    await makeToken(here.as(ada)).expect(200)
  })

  it('of events a day refuses more until midnight, except retries', async () => {
    const ada = await founder()
    const space = await here.openSpace(ada)
    await here.as(ada).post(`${space}/speech`, { text: 'Before there was a quota' }).expect(200)
    await query(here.connection, `UPDATE spaces SET last_event_at = '2026-02-28T10:00Z' WHERE tenant_id = $1`, [
      ada.tenant_id,
    ])
    await setQuotas(ada, ada.tenant_id, ['--events-per-day', '3'])
    const as = here.as(ada)
    const keyed = { headers: { 'Idempotency-Key': 'once' } }
    const first = await as.post(`${space}/speech`, { text: 'First' }, keyed).expect(200)
    const event = { speaker_id: 'meet', speaker_name: 'Meet', text: 'Hello' }
    const detail = 'The quota of events a day (3) is used up until midnight UTC'
    await as.post(`${space}/events/batch`, { events: Array(3).fill(event) }).expect(429, detail)
    await as.post(`${space}/events/batch`, { events: Array(2).fill(event) }).expect(200)
    const refused = await as.post(`${space}/speech`, { text: 'Fourth' })
    refused.expect(429, detail)
    expect(refused.headers.get('retry-after')).toBe('7200')
    expect(await as.post(`${space}/speech`, { text: 'First' }, keyed).expect(200)).toEqual(first)
    await as.post(`${space}/speech`, { text: 'New' }, { headers: { 'Idempotency-Key': 'new' } }).expect(429)
    await as.get(`${space}/events`).expect(200)
    setTime('2026-03-02T00:00:00Z')
    await as.post(`${space}/speech`, { text: 'Good morning' }).expect(200)
  })

  it('of events is counted across servers', async () => {
    const ada = await founder()
    const space = await here.openSpace(ada)
    await setQuotas(ada, ada.tenant_id, ['--events-per-day', '50'])
    const speak = (server: Client) => server.as(ada).post(`${space}/speech`, { text: 'Hello' })
    await Promise.all(Array.from({ length: 50 }, () => speak(here).expect(200)))
    // A server reads the count of the others when it counts an event.
    await speak(there).expect(200)
    await eventually(async () => (await speak(there)).status === 429)
    await eventually(async () => (await used(ada)).events_per_day.used > 50)
    expect((await used(ada)).events_per_day.used).toBeLessThan(100)
  })

  it('of bytes refuses events once it is reached', async () => {
    const ada = await founder()
    const space = await here.openSpace(ada)
    await here
      .as(ada)
      .post(`${space}/speech`, { text: 'x'.repeat(1_000) })
      .expect(200)
    await setQuotas(ada, ada.tenant_id, ['--bytes', '2500'])
    await here
      .as(ada)
      .post(`${space}/speech`, { text: 'é'.repeat(600) })
      .expect(200)
    await here
      .as(ada)
      .post(`${space}/speech`, { text: 'x' })
      .expect(403, 'The quota of bytes of events (2500) is used up')
    await eventually(async () => (await used(ada)).bytes.used > 2_500)
  })

  it('of one human is 100 agents and 100 valid tokens by default, also in the shared default tenant', async () => {
    const ada = await here.registerHuman()
    const as = here.as(ada)
    await query(
      here.connection,
      `INSERT INTO actors (actor_id, tenant_id, actor_type, display_name, sponsor_id, created_at)
       SELECT 'agt_' || left(md5($1 || n), 24), tenant_id, 'agent', 'Scout', $1, now()
       FROM actors, generate_series(1, 99) n WHERE actor_id = $1`,
      [ada.actor_id],
    )
    await query(
      here.connection,
      `INSERT INTO personal_access_tokens (pat_id, actor_id, name, token_hash, token_prefix, created_at, expires_at, revoked_at)
       SELECT 'pat_' || left(md5($1 || n), 24), $1, 'CI', sha256(($1 || n)::bytea), 'svc_pat_', now(),
         CASE n WHEN 1 THEN now() END, CASE n WHEN 2 THEN now() END
       FROM generate_series(1, 101) n`,
      [ada.actor_id],
    )
    const { code } = await as.post('/api/agent-codes', { display_name: 'Scout' }).expect(200)
    const scout = await makeAgent(as).expect(200)
    const noAgent = 'The quota of agents of one human (100) is used up: delete some that are no longer needed'
    await makeAgent(as).expect(403, noAgent)
    const redeem = () => here.post('/api/agent-codes/redeem', { code, installation_id: 'laptop' })
    await redeem().expect(403, noAgent)
    const { pat_id } = await makeToken(as).expect(200)
    const noToken = 'The quota of tokens of one human (100) is used up: revoke some that are no longer needed'
    await makeToken(as).expect(403, noToken)
    await as.delete(`/api/actors/${scout.actor_id}`).expect(200)
    await redeem().expect(200)
    await as.delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
    await makeToken(as).expect(200)
    await makeToken(here.as(await here.registerHuman())).expect(200)
  })

  it('of one human can be changed by the operator', async () => {
    const ada = await founder()
    await setQuotas(ada, ada.tenant_id, ['--agents-per-human', '1'])
    await makeAgent(here.as(ada)).expect(200)
    await makeAgent(here.as(ada)).expect(403, /^The quota of agents of one human \(1\) is used up/)
    expect((await used(ada)).agents_per_human).toEqual({ quota: 1, used: 1 })
    await operate('tenant', 'quota', 'set', ada.tenant_id, '--agents-per-human', 'none')
    await eventually(async () => (await makeAgent(here.as(ada))).status === 200)
    expect((await used(ada)).agents_per_human).toEqual({ quota: null, used: 2 })
    await operate('tenant', 'quota', 'clear', ada.tenant_id)
    expect((await used(ada)).agents_per_human).toEqual({ quota: 100, used: 2 })
  })

  it('can be set for the shared default tenant', async () => {
    const ada = await here.registerHuman()
    await setQuotas(ada, DEFAULT_SCOPE, ['--spaces', '0'])
    await here.as(ada).post('/api/spaces', spaceOf(1)).expect(403, 'The quota of spaces (0) is used up')
    await operate('tenant', 'quota', 'clear', DEFAULT_SCOPE)
    for (const server of [here, there]) await eventually(async () => (await makeToken(server.as(ada))).status === 200)
    await here.as(ada).post('/api/spaces', spaceOf(1)).expect(200)
  })
})

/** Returns the quotas of a tenant as the operator sees them. */
const used = async ({ tenant_id }: Founder) =>
  JSON.parse((await operate('tenant', 'quota', 'show', tenant_id, '--json')).join('\n'))

describe('tenant quota', () => {
  it('shows, sets and clears quotas', async () => {
    const ada = await founder()
    await here.openSpace(ada)
    const unlimited = (used: number) => ({ quota: null, used })
    expect(await used(ada)).toEqual({
      tenant_id: ada.tenant_id,
      events_per_day: unlimited(0),
      spaces: unlimited(1),
      agents: unlimited(0),
      tokens: unlimited(0),
      bytes: unlimited(0),
      file_bytes: unlimited(0),
      agents_per_human: { quota: 100, used: 0 },
      tokens_per_human: { quota: 100, used: 0 },
    })
    await operate('tenant', 'quota', 'set', ada.tenant_id, '--spaces', '10', '--events-per-day', '1000')
    const lines = await operate('tenant', 'quota', 'set', ada.tenant_id, '--spaces', '20', '--events-per-day', 'none')
    expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
      [`Quotas of tenant ${ada.tenant_id}:`],
      ['QUOTA', 'USED'],
      ['events per day', 'none', '0'],
      ['spaces', '20', '1'],
      ['agents', 'none', '0'],
      ['tokens', 'none', '0'],
      ['bytes', 'none', '0'],
      ['file bytes', 'none', '0'],
      ['agents per human', '100', '0'],
      ['tokens per human', '100', '0'],
    ])
    await operate('tenant', 'quota', 'clear', ada.tenant_id)
    expect((await used(ada)).spaces).toEqual(unlimited(1))
    const entries = await here.as(ada).get('/api/audit').expect(200)
    const changes = entries.filter(({ action }: { action: string }) => action === 'tenant.quotas_changed')
    expect(changes).toHaveLength(3)
  })

  it.each(['show', 'set', 'clear'])('%s refuses an unknown tenant', async (verb) => {
    await expect(operate('tenant', 'quota', verb, 'nothing')).rejects.toMatchObject({ detail: 'Tenant not found' })
  })
})
