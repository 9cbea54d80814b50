import { type Actor, type Answer, query } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { hold, waiting as lockWaiters } from './support/locks.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'

// The default size of the pool, as some changes wait here for others.
const h = useServer({ DATABASE_POOL: '20' })
const operate = operatorOf(h)

/** An actor with all that each creation needs, and a token that it calls with. */
interface Caller extends Actor {
  readonly token: string
  readonly tenant_id: string
  readonly pat_id: string
  /** The code of an invite to another tenant. */
  readonly code: string
}

async function newCaller(): Promise<Caller> {
  const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
  const { tenant_id } = await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
  await h.as(ada).post('/api/spaces', { space_id: 'plans' }).expect(200)
  await h.as(bob).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
  const { code } = await h.as(bob).post('/api/invites', {}).expect(200)
  const { token, pat_id } = await h.as(ada).post('/api/personal-access-tokens', { name: 'first' }).expect(200)
  return { ...ada, token, tenant_id, pat_id, code }
}

type Make = [title: string, path: (caller: Caller) => string, body: (caller: Caller) => object]

const MAKES: readonly Make[] = [
  ['a token', () => '/api/personal-access-tokens', () => ({ name: 'too late' })],
  ['a new key', ({ actor_id }) => `/api/actors/${actor_id}/rotate-key`, () => ({})],
  ['an agent', () => '/api/actors', () => ({ display_name: 'Too Late', actor_type: 'agent' })],
  ['a tenant', () => '/api/tenants', () => ({ name: 'Too Late' })],
  ['an invite', () => '/api/invites', () => ({})],
  ['a space', () => '/api/spaces', () => ({ space_id: 'too-late' })],
  ['a participation', () => '/api/spaces/plans/join', () => ({})],
  ['a move into another tenant', () => '/api/invites/redeem', ({ code }) => ({ code })],
]

type End = [title: string, end: (caller: Caller) => Promise<unknown>]

const ok = (answer: Answer) => answer.expect(200)

const ENDS: readonly End[] = [
  ['its token is revoked', (ada) => h.as(ada).delete(`/api/personal-access-tokens/${ada.pat_id}`).then(ok)],
  [
    'its human signs out everywhere',
    (ada) => h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`, { revoke_tokens: true }).then(ok),
  ],
  ['its actor is deleted', (ada) => h.as(ada).delete(`/api/actors/${ada.actor_id}`).then(ok)],
  ['its actor moves to another tenant', (ada) => h.as(ada).post('/api/tenants', { name: 'New' }).then(ok)],
  ['the operator disables its actor', (ada) => operate('actor', 'disable', ada.actor_id)],
]

/** Returns all that a request could have created: counts of rows, and the tenants and keys of actors. */
async function everything(): Promise<unknown> {
  const { rows } = await query(
    h.connection,
    `SELECT (SELECT count(*) FROM personal_access_tokens) AS tokens, (SELECT count(*) FROM tenants) AS tenants,
       (SELECT count(*) FROM spaces) AS spaces, (SELECT count(*) FROM participants) AS participants,
       (SELECT count(*) FROM invites) AS invites, (SELECT count(*) FROM invites WHERE redeemed_at IS NOT NULL) AS used,
       (SELECT json_agg(a ORDER BY actor_id) FROM (SELECT actor_id, tenant_id, deleted_at FROM actors) a) AS actors,
       (SELECT json_agg(k ORDER BY actor_id) FROM (SELECT actor_id, key_hash FROM api_keys) k) AS keys`,
  )
  return rows
}

/** Locks the row of an actor, which both the end of a credential and a creation with it need. */
const holdActor = (actor_id: string) =>
  hold(h.connection, 'SELECT FROM actors WHERE actor_id = $1 FOR UPDATE', [actor_id])

const waiting = (count: number) => lockWaiters(h.connection, count)

describe.each(MAKES)('creating %s', (_title, path, body) => {
  it.each(ENDS)('gets 401 when the request was admitted before %s', async (_end, end) => {
    const ada = await newCaller()
    const held = await holdActor(ada.actor_id)
    const ending = end(ada)
    await waiting(1)
    const making = h.as(ada.token).post(path(ada), body(ada))
    await waiting(2)
    await held.query('COMMIT')
    await ending
    const after = await everything()
    await making.expect(401, 'Authentication required')
    expect(await everything()).toEqual(after)
  })

  it('gets 403 when the request was admitted before the tenant is suspended', async () => {
    const ada = await newCaller()
    const held = await holdActor(ada.actor_id)
    const making = h.as(ada.token).post(path(ada), body(ada))
    await waiting(1)
    await query(h.connection, `UPDATE tenants SET status = 'suspended' WHERE tenant_id = $1`, [ada.tenant_id])
    const before = await everything()
    await held.query('COMMIT')
    await making.expect(403, 'Tenant is suspended')
    expect(await everything()).toEqual(before)
  })

  it('succeeds with a valid credential', async () => {
    const ada = await newCaller()
    const before = await everything()
    await h.as(ada.token).post(path(ada), body(ada)).expect(200)
    expect(await everything()).not.toEqual(before)
  })
})

describe('a long read', () => {
  it('gets 401 when its credential ends while it waits for the database', async () => {
    const { ada, path } = await h.adasSpace()
    const { event_id } = await h.as(ada).post(`${path}/speech`, { text: 'for Ada' }).expect(200)
    const thread = { parent_event_id: event_id, subject: 'Long' }
    const { thread_id } = await h.as(ada).post(`${path}/threads`, thread).expect(200)
    const held = await hold(h.connection, 'LOCK TABLE events IN ACCESS EXCLUSIVE MODE')
    const reading = h.as(ada).get(`${path}/threads/${thread_id}`)
    await waiting(1)
    await h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200)
    await reading.expect(401, 'Authentication required')
    await held.query('COMMIT')
  })
})

describe('rotating a key with revoke_tokens', () => {
  const rotate = (ada: Actor, body: object) =>
    h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`, body).expect(200)

  it('revokes all tokens with the key, and keeps earlier revocations as they are', async () => {
    const ada = await newCaller()
    await h.as(ada).delete(`/api/personal-access-tokens/${ada.pat_id}`).expect(200)
    const { token } = await h.as(ada).post('/api/personal-access-tokens', { name: 'second' }).expect(200)
    const revokedBefore = await h.as(ada).get('/api/personal-access-tokens?include_revoked=true').expect(200)
    const { api_key } = await rotate(ada, { revoke_tokens: true })
    for (const ended of [ada.api_key, token]) await h.as(ended).get('/api/actors/me').expect(401)
    expect(await h.as(api_key).get('/api/personal-access-tokens').expect(200)).toEqual([])
    const [second, first] = await h.as(api_key).get('/api/personal-access-tokens?include_revoked=true').expect(200)
    expect(second.revoked_at).toEqual(expect.any(String))
    expect(first).toEqual(revokedBefore[1])
  })

  it('revokes agent codes and invites', async () => {
    const ada = await newCaller()
    await h.as(ada).post('/api/tenants', { name: 'Ours' }).expect(200)
    const agentCode = await h.as(ada).post('/api/agent-codes', { display_name: 'Scout' }).expect(200)
    const invite = await h.as(ada).post('/api/invites', {}).expect(200)
    const { api_key } = await rotate(ada, { revoke_tokens: true })
    const at = { code: agentCode.code, installation_id: 'laptop' }
    await h.post('/api/agent-codes/redeem', at).expect(404, 'Code not found')
    await h
      .as(await h.registerHuman())
      .post('/api/invites/redeem', { code: invite.code })
      .expect(404, 'Invite not found')
    const entries: { action: string }[] = await h.as(api_key).get('/api/audit').expect(200)
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['agent_code.revoked', 'invite.revoked']),
    )
  })

  it('keeps the tokens of other actors', async () => {
    const [ada, bob] = [await newCaller(), await newCaller()]
    await rotate(ada, { revoke_tokens: true })
    await h.as(bob.token).get('/api/actors/me').expect(200)
  })

  it('is not the default: a rotation keeps the tokens', async () => {
    const ada = await newCaller()
    const { api_key } = await rotate(ada, {})
    await rotate({ ...ada, api_key }, { revoke_tokens: false })
    await h.as(ada.token).get('/api/actors/me').expect(200)
  })

  it('returns 400 for a value other than true or false', async () => {
    const ada = await newCaller()
    const path = `/api/actors/${ada.actor_id}/rotate-key`
    await h
      .as(ada)
      .post(path, { revoke_tokens: 'all' })
      .expect(400, /^revoke_tokens: /)
    await h.as(ada.token).get('/api/actors/me').expect(200)
  })
})
