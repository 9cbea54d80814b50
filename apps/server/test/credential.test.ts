import { type Actor, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const h = useServer({ DATABASE_POOL: '20' })
const elsewhere = useServer({}, h)
const operate = operatorOf(h)

let tenant: string
let ada: Actor
let scout: Actor
let admin: Actor
let member: Actor

beforeEach(async () => {
  tenant = await foundTenant(h.connection)
  ada = await h.registerHuman('Ada')
  scout = await h.registerAgent(ada)
  ;[admin, member] = [await h.registerHuman('Root'), await h.registerHuman('Bob')]
  await moveInto(h.connection, tenant, ada, scout, admin, member)
  await makeAdmin(h.connection, admin)
})

const TOKENS = '/api/personal-access-tokens'
const pathOf = ({ actor_id }: Actor) => `/api/actors/${actor_id}`
const credentialsOf = (actor: Actor) => `${pathOf(actor)}/credentials`
const newToken = (actor: Actor, name = 'laptop') => h.as(actor).post(TOKENS, { name }).expect(200)
const setKind = (kind: string, { pat_id }: { pat_id: string }) =>
  query(h.connection, `UPDATE personal_access_tokens SET kind = '${kind}' WHERE pat_id = '${pat_id}'`)
const notices = async (actor: Actor) => (await h.as(actor).get('/api/actors/me/inbox').expect(200)).notices

describe('GET /api/actors/{actor_id}/credentials', () => {
  it('lists sessions and grants, which the list of tokens leaves out', async () => {
    const [token, session, grant] = [await newToken(ada), await newToken(ada, 'browser'), await newToken(ada, 'chat')]
    await setKind('session', session)
    await query(
      h.connection,
      `UPDATE personal_access_tokens SET expires_at = now() + interval '1 hour' WHERE kind = 'session'`,
    )
    await setKind('grant', grant)
    const kinds = (await h.as(ada).get(credentialsOf(ada)).expect(200)).map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(['api_key', 'grant', 'session', 'token'])
    expect(await h.as(ada).get(TOKENS).expect(200)).toMatchObject([{ pat_id: token.pat_id }])
    expect((await operate('actor', 'show', ada.actor_id)).join('\n')).toMatch(/tokens *2$/m)

    const made = { display_name: 'Mole', actor_type: 'agent' }
    for (const [kind, one] of Object.entries({ session, grant })) {
      const mole = await h.as(one.token).post('/api/actors', made).expect(200)
      const { ended } = await h
        .as(ada)
        .delete(`${credentialsOf(ada)}/${one.pat_id}`)
        .expect(200)
      expect(ended.items).toMatchObject([{ kind: 'agent', id: mole.actor_id }])
      await h.as(one.token).get('/api/actors/me').expect(401)
      expect(await h.as(mole).get('/api/actors/me').expect(200)).toMatchObject({
        stopped: { reason: `The ${kind} "${one.name}" (${one.pat_id}) that made it was revoked` },
      })
    }
    const log = await h.as(admin).get('/api/audit').expect(200)
    expect(log.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['session.ended', 'grant.revoked']),
    )
  })

  it('lists the key and the tokens with what a revocation ends, and without secrets', async () => {
    const { pat_id, token } = await newToken(ada)
    await h
      .as(token)
      .post(TOKENS, { name: 'spare', scopes: ['read'] })
      .expect(200)
    const mole = await h.as(token).post('/api/actors', { display_name: 'Mole', actor_type: 'agent' }).expect(200)
    const nothing = { count: 0, items: [] }
    const listed = await h.as(ada).get(credentialsOf(ada)).expect(200)
    expect(JSON.stringify(listed)).not.toContain('svc_')
    const [key, spare, laptop] = listed
    const made = [
      { kind: 'token', id: spare.credential_id, name: 'spare', actor_id: ada.actor_id },
      { kind: 'agent', id: mole.actor_id, name: 'Mole', actor_id: ada.actor_id },
    ]
    expect(laptop).toEqual({
      actor_id: ada.actor_id,
      credential_id: pat_id,
      kind: 'token',
      name: 'laptop',
      created_at: expect.stringMatching(TIMESTAMP),
      created_with: { actor_id: ada.actor_id, credential_id: 'api_key' },
      last_used_at: expect.stringMatching(TIMESTAMP),
      revoked_at: null,
      scopes: null,
      space_ids: null,
      expires_at: null,
      ends: { count: 2, items: made },
      everything: null,
    })
    expect(spare).toMatchObject({ scopes: ['read'], ends: nothing, created_with: { credential_id: pat_id } })
    expect(key).toMatchObject({
      credential_id: 'api_key',
      kind: 'api_key',
      name: null,
      created_with: null,
      revoked_at: null,
    })
    expect(key.ends.count).toBe(4)
    expect(key.ends).toEqual(key.everything)
    // The revocation returns the same.
    expect((await h.as(ada).delete(`${TOKENS}/${pat_id}`).expect(200)).ended).toEqual(laptop.ends)
    expect(await h.as(ada).delete(`${TOKENS}/${pat_id}`).expect(200)).toEqual({ ok: true })
    expect(await h.as(mole).get('/api/actors/me').expect(200)).toMatchObject({
      stopped: { reason: `The token "laptop" (${pat_id}) that made it was revoked`, stopped_by: ada.actor_id },
    })
  })

  it('is for the actor, its sponsor and admins of its tenant', async () => {
    scout = await h.registerAgent(ada, 'Scout', { scopes: ['read', 'account'] })
    for (const viewer of [ada, scout, admin]) await h.as(viewer).get(credentialsOf(scout)).expect(200)
    await h.as(admin).get(credentialsOf(ada)).expect(200)
    for (const viewer of [member, scout]) {
      await h
        .as(viewer)
        .get(credentialsOf(ada))
        .expect(403, /^Only the actor, its sponsor or an admin/)
      await h
        .as(viewer)
        .delete(`${credentialsOf(ada)}/api_key`)
        .expect(403, /^Only the actor, its sponsor or an admin/)
    }
    const foreign = await h.registerHuman()
    await moveInto(h.connection, await foundTenant(h.connection), foreign)
    await makeAdmin(h.connection, foreign)
    await h.as(foreign).get(credentialsOf(ada)).expect(404, 'Actor not found')
    await h
      .as(foreign)
      .delete(`${credentialsOf(ada)}/api_key`)
      .expect(404, 'Actor not found')
    const narrow = await h.as(admin).post(TOKENS, { name: 'x', space_ids: [spaceIdOf(await h.openSpace(admin))] })
    await h.as(narrow.body.token).get(credentialsOf(admin)).expect(403)
  })

  it('counts tokens and agents of unknown origin in everything, but not in ends', async () => {
    const { pat_id } = await newToken(ada)
    await query(h.connection, 'UPDATE personal_access_tokens SET created_with = NULL WHERE pat_id = $1', [pat_id])
    await query(h.connection, 'UPDATE actors SET created_with = NULL WHERE actor_id = $1', [scout.actor_id])
    await query(h.connection, 'UPDATE api_keys SET created_with = NULL WHERE actor_id = $1', [scout.actor_id])
    const [key] = await h.as(ada).get(credentialsOf(ada)).expect(200)
    expect([key.ends.count, key.everything.count]).toEqual([0, 2])
    const { ended } = await h
      .as(ada)
      .post(`${pathOf(ada)}/rotate-key`, { revoke_tokens: true })
      .expect(200)
    expect(ended).toEqual(key.everything)
  })
})

describe('DELETE /api/actors/{actor_id}/credentials/{credential_id}', () => {
  it('returns 404 for an unknown credential, and for one of another actor', async () => {
    const { pat_id } = await newToken(member)
    for (const id of [pat_id, `pat_${'0'.repeat(24)}`, 'x']) {
      await h
        .as(admin)
        .delete(`${credentialsOf(ada)}/${id}`)
        .expect(404, 'Token not found')
    }
  })

  it('revokes an API key until it is rotated, and notifies the sponsor', async () => {
    expect(
      await h
        .as(admin)
        .delete(`${credentialsOf(scout)}/api_key`)
        .expect(200),
    ).toEqual({ ok: true })
    await h.as(scout).get('/api/actors/me').expect(401)
    expect((await h.as(ada).get(credentialsOf(scout)).expect(200))[0].revoked_at).toEqual(expect.any(String))
    expect(await notices(ada)).toMatchObject([
      { kind: 'credential_revoked', details: { actor_id: scout.actor_id, credential_id: 'api_key', ended: 0 } },
    ])
    const { api_key } = await h
      .as(ada)
      .post(`${pathOf(scout)}/rotate-key`)
      .expect(200)
    expect(await h.as(api_key).get('/api/actors/me').expect(200)).toMatchObject({ stopped: null })
    await h
      .as(admin)
      .delete(`${credentialsOf(ada)}/api_key`)
      .expect(200)
    await h.as(ada).get('/api/actors/me').expect(401)
    const [, key = ''] = await operate('actor', 'reset-key', ada.actor_id)
    await h.as(key).get('/api/actors/me').expect(200)
  })

  it('keeps a key that was rotated with the revoked token', async () => {
    const { pat_id, token } = await newToken(ada)
    const { api_key } = await h
      .as(token)
      .post(`${pathOf(ada)}/rotate-key`)
      .expect(200)
    expect(await h.as(api_key).delete(`${TOKENS}/${pat_id}`).expect(200)).toEqual({ ok: true })
    await h.as(api_key).get('/api/actors/me').expect(200)
  })

  it('ends streams on every server, is recorded in the security log, and notifies the actor', async () => {
    const { pat_id, token } = await newToken(ada)
    const mole = await h.as(token).post('/api/actors', { display_name: 'Mole', actor_type: 'agent' }).expect(200)
    const stream = await StreamReader.open(elsewhere.as(token), await h.openSpace(ada))
    await h
      .as(admin)
      .delete(`${credentialsOf(ada)}/${pat_id}`)
      .expect(200)
    await stream.ended
    const log: { action: string; subject_id: string; actor_id: string }[] = await h
      .as(admin)
      .get('/api/audit')
      .expect(200)
    for (const [action, subject_id] of [
      ['token.revoked', pat_id],
      ['agent.stopped', mole.actor_id],
    ] as const) {
      expect(log).toContainEqual(expect.objectContaining({ action, subject_id, actor_id: admin.actor_id }))
    }
    expect(await notices(ada)).toMatchObject([
      { kind: 'credential_revoked', details: { name: 'laptop', revoked_by: admin.actor_id, ended: 1 } },
    ])
  })

  it('also ends what the credential creates at the same time', async () => {
    const { pat_id, token } = await newToken(ada)
    const makes = async () => {
      const made: string[] = []
      for (;;) {
        const answer = await elsewhere.as(token).post('/api/actors', { display_name: 'Mole', actor_type: 'agent' })
        if (answer.status === 401) return made
        made.push(answer.expect(200).actor_id)
      }
    }
    const making = [makes(), makes(), makes()]
    const { ended } = await h
      .as(admin)
      .delete(`${credentialsOf(ada)}/${pat_id}`)
      .expect(200)
    const made = (await Promise.all(making)).flat()
    expect(ended?.count ?? 0).toBe(made.length)
    const agents: { actor_id: string; stopped: unknown }[] = await h.as(ada).get('/api/actors/me/agents').expect(200)
    expect(agents.filter(({ stopped }) => stopped === null).map(({ actor_id }) => actor_id)).toEqual([scout.actor_id])
  })

  it("does not deadlock when two admins revoke each other's tokens", async () => {
    await makeAdmin(h.connection, member)
    const tokens = await Promise.all([newToken(admin), newToken(member)])
    const revoked = await Promise.all([
      h.as(member).delete(`${credentialsOf(admin)}/${tokens[0].pat_id}`),
      elsewhere.as(admin).delete(`${credentialsOf(member)}/${tokens[1].pat_id}`),
    ])
    for (const answer of revoked) answer.expect(200)
  })
})

describe('a disabled member', () => {
  const disable = (by: Actor, actor: Actor) => h.as(by).post(`${pathOf(actor)}/disable`)
  const enable = (by: Actor, actor: Actor) => h.as(by).post(`${pathOf(actor)}/enable`)
  const disabledOf = async (actor: Actor) =>
    (await h.as(admin).get(`/api/tenants/${tenant}/members`).expect(200)).find(
      ({ actor_id }: Actor) => actor_id === actor.actor_id,
    ).disabled

  it('loses access with its agents and streams until an admin enables it again', async () => {
    const { token } = await newToken(ada)
    const stream = await StreamReader.open(elsewhere.as(scout), await h.openSpace(ada))
    expect(await disable(admin, ada).expect(200)).toMatchObject({ actor_id: ada.actor_id, disabled: true })
    await stream.ended
    for (const credential of [ada.api_key, token, scout.api_key]) {
      await elsewhere.as(credential).get('/api/actors/me').expect(401, 'Authentication required')
    }
    expect(await disabledOf(scout)).toEqual({ disabled_at: expect.any(String), disabled_by: admin.actor_id })
    expect((await disable(admin, ada).expect(200)).changed).toEqual([])
    expect((await enable(admin, ada).expect(200)).changed.sort()).toEqual([scout.actor_id, ada.actor_id].sort())
    for (const credential of [ada.api_key, token, scout.api_key])
      await h.as(credential).get('/api/actors/me').expect(200)
    expect(await disabledOf(ada)).toBeNull()
  })

  it('is disabled by admins of its tenant only, and never by itself', async () => {
    await disable(member, ada).expect(403, 'Only an admin of the tenant may do this')
    await disable(admin, admin).expect(409, /^An actor cannot disable itself/)
    const foreign = await h.registerHuman()
    await disable(admin, foreign).expect(404, 'Actor not found')
    await enable(admin, foreign).expect(404, 'Actor not found')
    await h.as(foreign).get('/api/actors/me').expect(200)
  })

  it('is enabled by the operator only once the operator disabled it, even if an admin did before', async () => {
    await operate('actor', 'disable', member.actor_id)
    await enable(admin, member).expect(403, /^The operator disabled this actor/)
    await disable(admin, ada).expect(200)
    await operate('actor', 'disable', scout.actor_id)
    expect((await enable(admin, ada).expect(200)).changed).toEqual([ada.actor_id])
    await h.as(scout).get('/api/actors/me').expect(401)
    await enable(admin, scout).expect(403, /^The operator disabled this actor/)
    await disable(admin, ada).expect(200)
    expect(await operate('actor', 'enable', ada.actor_id)).toEqual([`${ada.actor_id} is enabled.`])
    await operate('actor', 'enable', scout.actor_id)
    await h.as(scout).get('/api/actors/me').expect(200)
  })

  it('leaves one admin when two disable each other', async () => {
    await makeAdmin(h.connection, member)
    const answers = await Promise.all([disable(admin, member), elsewhere.as(member).post(`${pathOf(admin)}/disable`)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('is enabled again by its removal, as the shared default tenant has no admin', async () => {
    await disable(admin, ada).expect(200)
    await h.as(admin).delete(`/api/tenants/${tenant}/members/${ada.actor_id}`).expect(200)
    expect(await h.as(ada).get('/api/actors/me').expect(200)).toMatchObject({ tenant_id: null })
    await h.as(scout).get('/api/actors/me').expect(200)
  })
})

describe('an agent that an admin has stopped', () => {
  it('is started by admins only, and its sponsor gets a notice', async () => {
    await h
      .as(admin)
      .post(`${pathOf(scout)}/stop`, { reason: 'Too loud' })
      .expect(200)
    await h
      .as(ada)
      .post(`${pathOf(scout)}/start`)
      .expect(403, /^An admin of the tenant stopped this agent: ask an admin/)
    expect(await notices(ada)).toMatchObject([
      { kind: 'agent_stopped', details: { agent_id: scout.actor_id, stopped_by: admin.actor_id, reason: 'Too loud' } },
    ])
    await h
      .as(admin)
      .post(`${pathOf(scout)}/start`)
      .expect(200)
    await h
      .as(ada)
      .post(`${pathOf(scout)}/stop`)
      .expect(200)
    await h
      .as(ada)
      .post(`${pathOf(scout)}/start`)
      .expect(200)
  })

  it('is started by admins only, even if its sponsor had stopped it first', async () => {
    await h
      .as(ada)
      .post(`${pathOf(scout)}/stop`)
      .expect(200)
    expect(
      await h
        .as(admin)
        .post(`${pathOf(scout)}/stop`, { reason: 'Too loud' })
        .expect(200),
    ).toMatchObject({
      stopped: { reason: 'Too loud', stopped_by: admin.actor_id },
    })
    await h
      .as(ada)
      .post(`${pathOf(scout)}/start`)
      .expect(403, /^An admin of the tenant stopped this agent/)
  })

  it('is started by its sponsor after they leave the tenant', async () => {
    await h
      .as(admin)
      .post(`${pathOf(scout)}/stop`)
      .expect(200)
    await h.as(ada).post(`/api/tenants/${tenant}/leave`).expect(200)
    await h
      .as(ada)
      .post(`${pathOf(scout)}/start`)
      .expect(200)
  })
})
