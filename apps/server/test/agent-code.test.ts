import { type Actor, type Answer, type Client, eventually, query } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { AGENT_LIMITS } from './support/actor.js'
import { TIMESTAMP } from './support/form.js'
import { capturingLog } from './support/log.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { foundTenant, moveInto, setTenantStatus } from './support/tenant.js'

const captured = capturingLog()
const h = useServer({ LOG_LEVEL: 'info', TRUST_PROXY: '1', FAILED_CREDENTIAL_LIMIT: '20' }, undefined, captured.log)
const elsewhere = useServer({}, h)
const operate = operatorOf(h)

const PATH = '/api/agent-codes'
const REDEEM = `${PATH}/redeem`
const LAPTOP = { installation_id: 'laptop' }
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const HOUR = 3_600_000

let ada: Actor
beforeEach(async () => {
  ada = await h.registerHuman()
})

const codeOf = (sponsor: Actor, body: object = {}) =>
  h
    .as(sponsor)
    .post(PATH, { display_name: 'Scout', ...body })
    .expect(200)
const redeem = (code: string, body: object = LAPTOP) => h.post(REDEEM, { code, ...body })
const agentsOf = (sponsor: Actor) => h.as(sponsor).get('/api/actors/me/agents').expect(200)

describe('an agent code', () => {
  it('creates a connected agent in its spaces, with a key that is limited to them', async () => {
    const [plans, other] = [await h.openSpace(ada), await h.openSpace(ada)]
    const space_id = plans.split('/').at(-1) as string
    const key_expires_at = inMs(HOUR)
    const terms = { agent_profile: 'Looks', scopes: ['read', 'write'], space_ids: [space_id], key_expires_at }
    const { code, ...made } = await codeOf(ada, terms)
    expect(code).toMatch(/^agt_code_[0-9a-f]{64}$/)
    expect(made).toEqual({
      ...terms,
      code_id: expect.stringMatching(/^cod_/),
      display_name: 'Scout',
      created_at: expect.stringMatching(TIMESTAMP),
      expires_at: new Date(Date.parse(made.created_at) + 900_000).toISOString(),
      revoked_at: null,
      redeemed_at: null,
      agent_id: null,
    })
    expect(await agentsOf(ada)).toEqual([])

    const scout = await redeem(code, { ...LAPTOP, agent_adapter: 'mcp' }).expect(200)
    expect(scout).toMatchObject({
      display_name: 'Scout',
      actor_type: 'agent',
      agent_profile: 'Looks',
      sponsor_id: ada.actor_id,
      connection: { installation_id: 'laptop', agent_adapter: 'mcp' },
      scopes: ['read', 'write'],
      space_ids: [space_id],
      expires_at: key_expires_at,
    })
    expect(await h.as(ada).get(`${plans}/participants`).expect(200)).toMatchObject([
      { actor_id: scout.actor_id, agent_adapter: 'mcp' },
    ])
    await h.as(scout).post(`${plans}/response`, { text: 'Here' }).expect(200)
    await h.as(scout).get(`${other}/status`).expect(404)
    expect(await h.as(ada).get(PATH).expect(200)).toEqual([
      { ...made, redeemed_at: expect.stringMatching(TIMESTAMP), agent_id: scout.actor_id },
    ])
  })

  it('creates an agent with the default limits when it has none', async () => {
    const { code } = await codeOf(ada)
    expect(await redeem(code).expect(200)).toMatchObject(AGENT_LIMITS)
  })

  it('is rejected with invalid limits', async () => {
    const space_id = (await h.openSpace(ada)).split('/').at(-1)
    const make = (body: object) => h.as(ada).post(PATH, { display_name: 'Scout', ...body })
    for (const expires_in_s of [59, 86_401, 0, -1, 1.5, 'soon']) {
      await make({ expires_in_s }).expect(400, /^expires_in_s: /)
    }
    await make({ expires_in_s: 60 }).expect(200)
    await make({ display_name: ' ' }).expect(400, /^display_name: /)
    await make({ key_expires_at: inMs(-1) }).expect(400, 'key_expires_at: must be in the future')
    await make({ space_ids: Array.from({ length: 21 }, () => space_id) }).expect(400, /^space_ids: /)
    await make({ space_ids: [space_id, 'nowhere'] }).expect(404, 'Space not found')
    await redeem('x', { installation_id: '' }).expect(400, /^installation_id: /)
    await redeem('x', {}).expect(400, /^installation_id: /)
  })

  it('is created by humans only, and hidden from other actors', async () => {
    const { code_id } = await codeOf(ada)
    const other = await h.registerHuman()
    expect(await h.as(other).get(PATH).expect(200)).toEqual([])
    await h.as(other).delete(`${PATH}/${code_id}`).expect(404, 'Code not found')
    const scout = await h.registerAgent(ada)
    await h.as(scout).post(PATH, { display_name: 'Another' }).expect(403, 'Only a human actor may do this')
  })

  it('of a limited token grants no more than the token', async () => {
    const limits = { scopes: ['read', 'account'], expires_at: inMs(HOUR) }
    const made = await h
      .as(ada)
      .post('/api/personal-access-tokens', { name: 'x', ...limits })
      .expect(200)
    const token = h.as(made.token)
    const { code } = await token.post(PATH, { display_name: 'Scout' }).expect(200)
    expect(await redeem(code).expect(200)).toMatchObject({ ...limits, scopes: ['read'] })
    for (const wider of [{ scopes: ['write'] }, { key_expires_at: inMs(2 * HOUR) }]) {
      await token.post(PATH, { display_name: 'Scout', ...wider }).expect(403, /^A limited credential/)
    }
  })
})

describe('an invalid agent code', () => {
  const gone: readonly (readonly [string, (code: { code: string; code_id: string }) => Promise<unknown>])[] = [
    ['was revoked', ({ code_id }) => h.as(ada).delete(`${PATH}/${code_id}`).expect(200).then()],
    ['was used elsewhere', async ({ code }) => (await redeem(code, { installation_id: 'phone' })).expect(200)],
    [
      'has expired',
      ({ code_id }) => query(h.connection, 'UPDATE agent_codes SET expires_at = now() WHERE code_id = $1', [code_id]),
    ],
    ['has a sponsor who was deleted', async () => (await h.as(ada).delete(`/api/actors/${ada.actor_id}`)).expect(200)],
    ['has a sponsor who has moved', async () => (await h.as(ada).post('/api/tenants', { name: 'New' })).expect(200)],
    ['has a sponsor who is disabled', () => operate('actor', 'disable', ada.actor_id)],
  ]
  it.each(gone)('that %s is rejected like an unknown code', async (_title, end) => {
    const code = await codeOf(ada)
    await end(code)
    const before = await query(h.connection, 'SELECT count(*) FROM actors')
    const unknown = (await redeem(`agt_code_${'0'.repeat(64)}`)).expect(404, 'Code not found')
    expect((await redeem(code.code)).expect(404)).toEqual(unknown)
    expect((await query(h.connection, 'SELECT count(*) FROM actors')).rows).toEqual(before.rows)
  })

  it('of a suspended tenant is rejected until the tenant is active again', async () => {
    const tenant = await foundTenant(h.connection)
    await moveInto(h.connection, tenant, ada)
    const { code } = await codeOf(ada)
    await setTenantStatus(h.connection, tenant, 'suspended')
    await redeem(code).expect(404, 'Code not found')
    await setTenantStatus(h.connection, tenant, 'active')
    await redeem(code).expect(200)
  })
})

describe('a lost response to a redemption', () => {
  it('is retried by the same installation, which revokes the first key', async () => {
    const { code, code_id } = await codeOf(ada)
    const first = await redeem(code).expect(200)
    const second = await elsewhere.post(REDEEM, { code, ...LAPTOP }).expect(200)
    expect(second.actor_id).toBe(first.actor_id)
    await h.as(first).get('/api/actors/me').expect(401)
    await h.as(second).get('/api/actors/me').expect(200)
    await redeem(code, { installation_id: 'phone' }).expect(404, 'Code not found')
    expect(await agentsOf(ada)).toHaveLength(1)
    await h.as(ada).delete(`${PATH}/${code_id}`).expect(200)
    await redeem(code).expect(404, 'Code not found')
    await h.as(second).get('/api/actors/me').expect(200)
  })

  it('is not retried after ten minutes, or once the key was used or rotated or the agent was released', async () => {
    for (const end of ['late', 'used', 'rotated', 'released']) {
      const { code, code_id } = await codeOf(ada)
      const scout = await redeem(code).expect(200)
      const age = "UPDATE agent_codes SET redeemed_at = now() - interval '10 minutes' WHERE code_id = $1"
      if (end === 'late') await query(h.connection, age, [code_id])
      else if (end === 'used') await elsewhere.as(scout).get('/api/actors/me').expect(200)
      else if (end === 'rotated')
        await h
          .as(ada)
          .post(`/api/actors/${scout.actor_id}/rotate-key`, {}, { headers: { 'X-Force-Rotate': 'true' } })
          .expect(200)
      else await h.as(ada).post(`/api/actors/${scout.actor_id}/release`).expect(200)
      await redeem(code).expect(404, 'Code not found')
    }
  })
})

/** Redeems until the answer is not 503: the pool of connections is small here. */
async function persist(server: Client, code: string, body: object, n: number): Promise<Answer> {
  for (;;) {
    const answer = await server.post(REDEEM, { code, ...body }, from(`198.51.100.${n}`))
    if (answer.status !== 503) return answer
  }
}

it('fifty concurrent redemptions of an agent code create one agent', async () => {
  const { code } = await codeOf(ada)
  const bodies = Array.from({ length: 50 }, (_, n) => ({ installation_id: `laptop-${n}` }))
  // As if each came from an address of its own.
  const answers = await Promise.all(bodies.map((body, n) => persist(n % 2 ? h : elsewhere, code, body, n)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 404)])
  expect(await agentsOf(ada)).toHaveLength(1)
  const same = await codeOf(ada)
  const again = await Promise.all(bodies.map((_, n) => persist(elsewhere, same.code, LAPTOP, n)))
  const working = await Promise.all(
    again.map(async (answer) => (await h.as(answer.expect(200)).get('/api/actors/me')).status),
  )
  expect(working.filter((status) => status === 200)).toHaveLength(1)
  expect(await agentsOf(ada)).toHaveLength(2)
})

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })

it('failed redemptions from one address are limited with 429, while a valid code still works', async () => {
  const { code } = await codeOf(ada)
  const address = from('203.0.113.9')
  await eventually(async () => {
    const { status } = await h.post(REDEEM, { code: 'agt_code_guess', ...LAPTOP }, address)
    expect([404, 429]).toContain(status)
    return status === 429
  })
  await h.post(REDEEM, { code, ...LAPTOP }, address).expect(200)
})

it('an agent code and its key are in no log and not in the database', async () => {
  const { code } = await codeOf(ada)
  const { api_key } = await redeem(code).expect(200)
  const { rows } = await query(
    h.connection,
    'SELECT a::text FROM agent_codes a UNION ALL SELECT e::text FROM audit_entries e',
  )
  for (const secret of [code, api_key]) {
    expect(captured.text()).not.toContain(secret)
    expect(JSON.stringify(rows)).not.toContain(secret)
  }
})

it('the security log records the life of an agent code', async () => {
  const { tenant_id } = await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
  const { code, code_id } = await codeOf(ada)
  const scout = await redeem(code).expect(200)
  await redeem(code).expect(200)
  await h.as(ada).delete(`${PATH}/${code_id}`).expect(200)
  const entries = await h.as(ada).get('/api/audit?limit=6').expect(200)
  const shown = entries.map(({ action, subject_id, actor_id }: Record<string, string>) => [
    action,
    subject_id,
    actor_id,
  ])
  expect(shown.reverse()).toEqual([
    ['agent_code.created', code_id, ada.actor_id],
    ['actor.registered', scout.actor_id, scout.actor_id],
    ['agent_code.redeemed', code_id, scout.actor_id],
    ['agent.connected', scout.actor_id, scout.actor_id],
    ['actor.key_rotated', scout.actor_id, scout.actor_id],
    ['agent_code.revoked', code_id, ada.actor_id],
  ])
  expect(scout.tenant_id).toBe(tenant_id)
})
