import { type Actor, query, spaceIdOf } from '@collab-spaces/testing'
import { newVerifier } from '@collab-spaces/testing/identity-provider'
import { beforeEach, describe, expect, it } from 'vitest'
import { Authenticator, addPasskey, signedBy } from './support/authenticator.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const h = useServer()
/** Another server of the same installation. */
const elsewhere = useServer({}, h)

const FAILED = 'The sign-in failed or took too long: begin again'
const FINISH = '/api/sign-in/passkey/finish'

let ada: Actor

beforeEach(async () => {
  ada = await h.registerHuman('Ada')
  await moveInto(h.connection, await foundTenant(h.connection), ada)
  await makeAdmin(h.connection, ada)
})

const credentialsOf = (actor: Actor) => `/api/actors/${actor.actor_id}/credentials`
const kinds = async (key: Actor | string, actor = ada) =>
  (await h.as(key).get(credentialsOf(actor)).expect(200)).map(({ kind }: { kind: string }) => kind)
const audit = async () =>
  (await h.as(ada).get('/api/audit').expect(200)).map(({ action }: { action: string }) => action) as string[]

describe('a passkey', () => {
  it('signs its human in without a name at any server, and is listed as a credential', async () => {
    const phone = await addPasskey(h.as(ada))
    const { token, actor, expires_at } = await h.post(FINISH, { response: await signedBy(phone, h) }).expect(200)
    expect(actor.actor_id).toBe(ada.actor_id)
    expect((Date.parse(expires_at) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
    expect(await h.as(token).get('/api/actors/me').expect(200)).toMatchObject({ display_name: 'Ada' })
    phone.origin = (await elsewhere.get('/api/sign-in').expect(200)).passkeys.origin
    await elsewhere.post(FINISH, { response: await signedBy(phone, elsewhere) }).expect(200)
    expect(await kinds(ada)).toEqual(['api_key', 'session', 'session', 'passkey'])
    expect(await audit()).toEqual(expect.arrayContaining(['passkey.added', 'session.created']))
  })

  it('is refused once removed, which ends its sessions and stops agents created in them', async () => {
    const phone = await addPasskey(h.as(ada))
    const { token } = await h.post(FINISH, { response: await signedBy(phone, h) }).expect(200)
    const agent = await h.as(token).post('/api/actors', { display_name: 'Scout', actor_type: 'agent' }).expect(200)
    const listed = await h.as(ada).get(credentialsOf(ada)).expect(200)
    const passkey = listed.find(({ kind }: { kind: string }) => kind === 'passkey')
    expect(passkey).toMatchObject({ name: 'phone', ends: { count: 2 } })
    const signed = await signedBy(phone, h)
    await h
      .as(ada)
      .delete(`${credentialsOf(ada)}/${passkey.credential_id}`)
      .expect(200)
    await h.post(FINISH, { response: signed }).expect(403, FAILED)
    await h.as(token).get('/api/actors/me').expect(401)
    expect(await h.as(agent).get('/api/actors/me').expect(200)).toMatchObject({ stopped: { stopped_by: ada.actor_id } })
    expect(await audit()).toContain('passkey.removed')
  })

  it('that was added with a token ends with the token', async () => {
    const { token, pat_id } = await h.as(ada).post('/api/personal-access-tokens', { name: 'stolen' }).expect(200)
    const phone = await addPasskey(h.as(token))
    const session = await h.post(FINISH, { response: await signedBy(phone, h) }).expect(200)
    const { ended } = await h.as(ada).delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
    expect(ended.items.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['passkey', 'session'])
    await h.as(session.token).get('/api/actors/me').expect(401)
    await h.post(FINISH, { response: await signedBy(phone, h) }).expect(403, FAILED)
  })

  it('signs in once per challenge, also with two requests at once', async () => {
    const phone = await addPasskey(h.as(ada))
    const response = await signedBy(phone, h)
    const answers = await Promise.all([h.post(FINISH, { response }), elsewhere.post(FINISH, { response })])
    // The other server is another site here.
    expect(answers.map(({ status }) => status)).toEqual([200, 403])
    await h.post(FINISH, { response }).expect(403, FAILED)
    const again = await signedBy(phone, h)
    const both = await Promise.all([h.post(FINISH, { response: again }), h.post(FINISH, { response: again })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  it.each<[string, (phone: Authenticator) => void]>([
    ['from another site', (phone) => (phone.origin = 'https://evil.example.org')],
    ['without user verification', (phone) => (phone.verifiesUser = false)],
    ['with a lower counter, as a copy has', (phone) => (phone.counter = 0)],
  ])('is refused %s', async (_what, change) => {
    const phone = await addPasskey(h.as(ada))
    await h.post(FINISH, { response: await signedBy(phone, h) }).expect(200)
    change(phone)
    await h.post(FINISH, { response: await signedBy(phone, h) }).expect(403, FAILED)
  })

  it('is refused for a challenge that is used, unknown or issued for another purpose', async () => {
    const phone = await addPasskey(h.as(ada))
    const { options } = await h.as(ada).post('/api/passkeys/begin').expect(200)
    await h.post(FINISH, { response: phone.sign({ ...options, rpId: 'localhost' }) }).expect(403, FAILED)
    const made = phone.sign({ challenge: Buffer.alloc(64).toString('base64url'), rpId: 'localhost' })
    await h.post(FINISH, { response: made }).expect(403, FAILED)
    await h.post(FINISH, { response: { id: 7 } }).expect(403, FAILED)
    const bob = await h.registerHuman('Bob')
    const response = new Authenticator(phone.origin).register(options)
    await h
      .as(bob)
      .post('/api/passkeys', { name: 'hers', response })
      .expect(400, /^response: /)
    await h.as(ada).post('/api/passkeys', { name: 'own', response }).expect(200)
    await h.as(ada).post('/api/passkeys', { name: 'again', response }).expect(403, FAILED)
  })
})

describe('a command on the same machine', () => {
  it('redeems the code from the page for a session, once', async () => {
    const { verifier, challenge } = newVerifier()
    const { code } = await h.as(ada).post('/api/sign-in/codes', { challenge, name: 'laptop' }).expect(200)
    await h.post('/api/sign-in/redeem', { code, verifier: newVerifier().verifier }).expect(403, FAILED)
    const { token, actor } = await h.post('/api/sign-in/redeem', { code, verifier }).expect(200)
    expect(actor.actor_id).toBe(ada.actor_id)
    for (const at of [h, elsewhere]) await at.post('/api/sign-in/redeem', { code, verifier }).expect(403, FAILED)
    const [, session] = await h.as(token).get(credentialsOf(ada)).expect(200)
    expect(session).toMatchObject({ kind: 'session', name: 'laptop', created_with: { credential_id: 'api_key' } })
  })

  it('gets no session once the credential that created the code has ended', async () => {
    const { token, pat_id } = await h.as(ada).post('/api/personal-access-tokens', { name: 'x' }).expect(200)
    const { verifier, challenge } = newVerifier()
    const { code } = await h.as(token).post('/api/sign-in/codes', { challenge, name: 'laptop' }).expect(200)
    await h.as(ada).delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
    await h.post('/api/sign-in/redeem', { code, verifier }).expect(401)
  })

  it('gets a session that expires no later than the one that created the code', async () => {
    const phone = await addPasskey(h.as(ada))
    const own = await h.post(FINISH, { response: await signedBy(phone, h) }).expect(200)
    const end = new Date(Date.now() + 3_600_000)
    await query(h.connection, 'UPDATE personal_access_tokens SET expires_at = $1 WHERE pat_id = $2', [
      end,
      own.credential_id,
    ])
    const { verifier, challenge } = newVerifier()
    const { code } = await h.as(own.token).post('/api/sign-in/codes', { challenge, name: 'laptop' }).expect(200)
    const { expires_at } = await h.post('/api/sign-in/redeem', { code, verifier }).expect(200)
    expect(expires_at).toBe(end.toISOString())
  })

  it('is not signed in by a limited credential', async () => {
    const { challenge } = newVerifier()
    for (const limits of [{ scopes: ['account'] }, { expires_at: new Date(Date.now() + 60_000).toISOString() }]) {
      const { token } = await h
        .as(ada)
        .post('/api/personal-access-tokens', { name: 'x', ...limits })
        .expect(200)
      await h
        .as(token)
        .post('/api/sign-in/codes', { challenge, name: 'laptop' })
        .expect(403, /^A limited credential/)
    }
  })
})

describe('a command on another machine', () => {
  const begin = () => h.post('/api/devices', { name: 'build-server' }).expect(200)
  const poll = (device_code: string, at = h) => at.post('/api/devices/poll', { device_code })

  it('is signed in by the next poll if one fails', async () => {
    const { device_code, user_code } = await begin()
    await h.as(ada).post(`/api/devices/${user_code}`, { allow: true }).expect(200)
    const table = 'ALTER TABLE personal_access_tokens'
    await query(h.connection, `${table} ADD CONSTRAINT none CHECK (kind <> 'session') NOT VALID`)
    await poll(device_code).expect(500)
    await query(h.connection, `${table} DROP CONSTRAINT none`)
    expect(await poll(device_code).expect(200)).toMatchObject({ status: 'signed_in' })
  })

  it('is authorized by the human who types its code, and shown with its name and address', async () => {
    const { device_code, user_code, verification_url, interval } = await begin()
    expect(user_code).toMatch(/^[B-DF-HJ-NP-TV-Z]{4}-[B-DF-HJ-NP-TV-Z]{4}$/)
    expect(verification_url).toMatch(/\/device$/)
    expect(interval).toBe(5)
    expect(await poll(device_code).expect(200)).toMatchObject({ status: 'pending', token: null })
    const typed = user_code.toLowerCase().replace('-', ' ')
    const path = `/api/devices/${encodeURIComponent(typed)}`
    expect(await h.as(ada).get(path).expect(200)).toMatchObject({ name: 'build-server', address: null, user_code })
    await h.as(ada).post(path, { allow: true }).expect(200)
    await h.as(ada).post(path, { allow: true }).expect(404, 'Code not found')
    const { status, token, actor } = await poll(device_code, elsewhere).expect(200)
    expect(status).toBe('signed_in')
    expect(actor.actor_id).toBe(ada.actor_id)
    await h.as(token).get('/api/actors/me').expect(200)
    await poll(device_code).expect(403, FAILED)
  })

  it('stays refused once the human has denied it', async () => {
    const { device_code, user_code } = await begin()
    await h.as(ada).post(`/api/devices/${user_code}`, { allow: false }).expect(200)
    await poll(device_code).expect(403, 'Authorization of this command was refused')
    await poll(device_code).expect(403, FAILED)
  })

  it('is refused once its code has expired, and expired codes are deleted', async () => {
    const { device_code, user_code } = await begin()
    await query(h.connection, 'UPDATE device_codes SET expires_at = now()')
    await h.as(ada).get(`/api/devices/${user_code}`).expect(404, 'Code not found')
    await poll(device_code).expect(403, FAILED)
    await begin()
    expect((await query(h.connection, 'SELECT count(*)::int AS count FROM device_codes')).rows).toEqual([{ count: 1 }])
  })
})

describe('sign-out', () => {
  const session = async () => {
    const { verifier, challenge } = newVerifier()
    const { code } = await h.as(ada).post('/api/sign-in/codes', { challenge, name: 'laptop' }).expect(200)
    return (await h.post('/api/sign-in/redeem', { code, verifier }).expect(200)).token as string
  }

  it('ends the session, and does not stop agents that were created in it', async () => {
    const [one, other] = [await session(), await session()]
    const agent = await h.as(one).post('/api/actors', { display_name: 'Scout', actor_type: 'agent' }).expect(200)
    expect(await h.as(one).post('/api/sign-out').expect(200)).toEqual({ ok: true, ended: 1 })
    await h.as(one).get('/api/actors/me').expect(401)
    await h.as(other).get('/api/actors/me').expect(200)
    expect(await h.as(agent).get('/api/actors/me').expect(200)).toMatchObject({ stopped: null })
  })

  it('with everywhere ends all sessions and their streams, and no other credential', async () => {
    const space = await h.openSpace(ada)
    const [one, other] = [await session(), await session()]
    const stream = await fetch(`${h.url}${space}/events/stream`, { headers: { authorization: `Bearer ${one}` } })
    expect(await h.as(other).post('/api/sign-out', { everywhere: true }).expect(200)).toEqual({ ok: true, ended: 2 })
    for (const token of [one, other]) await h.as(token).get('/api/actors/me').expect(401)
    await stream.text()
    await h
      .as(ada)
      .get(`/api/spaces/${spaceIdOf(space)}/status`)
      .expect(200)
    expect(await audit()).toContain('session.ended')
  })

  it('happens to the oldest session when there are more than twenty', async () => {
    const first = await session()
    for (let more = 0; more < 20; more += 1) await session()
    await h.as(first).get('/api/actors/me').expect(401)
    expect((await kinds(ada)).filter((kind: string) => kind === 'session')).toHaveLength(20)
  })
})

describe('sign-in without a server key', () => {
  const keyless = useServer({ SERVER_KEY: '' }, h)

  it('offers no passkeys, no OpenID Connect and no device codes', async () => {
    expect(await keyless.get('/api/sign-in').expect(200)).toMatchObject({ oidc: null, passkeys: null })
    const detail = 'Sessions need a server key: the operator has to set SERVER_KEY'
    await keyless.post('/api/sign-in/passkey').expect(409, detail)
    await keyless.post('/api/devices', { name: 'laptop' }).expect(409, detail)
  })
})
