import { generateKeyPairSync } from 'node:crypto'
import { type Actor, type Answer, eventually, freePorts, type Pending, query, useProgram } from '@collab-spaces/testing'
import {
  type IdClaims,
  IdentityProvider,
  newVerifier,
  returnFrom,
  type SignInResult,
  settingsFor,
  useProvider,
} from '@collab-spaces/testing/identity-provider'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hold, waiting } from './support/locks.js'
import { capturingLog } from './support/log.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const port = await freePorts(1)
/** A port without a provider. */
const unused = await freePorts(1)
const site = 'http://spaces.localhost:8080'
const settings = {
  ...settingsFor(port),
  PUBLIC_URL: site,
  OIDC_TENANT: 'claim:hd',
  OIDC_ADMINS: 'groups=spaces-admins',
  // The default number of connections, as some changes wait for others here.
  DATABASE_POOL: '20',
}
const h = useServer(settings)
/** Another server of the same installation. */
const elsewhere = useServer(settings, h)
const idp = useProvider(port)
const operate = operatorOf(h)

const FAILED = 'The sign-in failed or took too long: begin again'

let tenant: string
let root: Actor
let subjects = 0
let ada: string

beforeAll(async () => {
  tenant = await foundTenant(h.connection)
  root = await h.registerHuman('Root')
  await moveInto(h.connection, tenant, root)
  await makeAdmin(h.connection, root)
})

/** Adds an account to the provider, and returns its subject. */
function person(claims: IdClaims = {}): string {
  subjects += 1
  const subject = `subject-${subjects}`
  const usual = { name: 'Ada Lovelace', email: `${subject}@example.org`, email_verified: true, hd: tenant }
  idp.current.accounts.set(subject, { ...usual, ...claims })
  return subject
}

beforeEach(() => {
  idp.current.tamper = null
  ada = person()
})

const finish = (returned: SignInResult, at = h): Pending<Answer> => at.post('/api/sign-in/oidc/finish', returned)
const signIn = async (subject: string) => finish(await returnFrom(idp.current, h, subject)).expect(200)
const audit = async (action: string) => await h.as(root).get(`/api/audit?action=${action}`).expect(200)

describe('a sign-in with the provider', () => {
  it('creates an account in its tenant the first time, and a session each time', async () => {
    expect(await h.get('/api/sign-in').expect(200)).toMatchObject({ oidc: { name: new URL(idp.current.issuer).host } })
    const first = await signIn(ada)
    expect(first).toMatchObject({
      token: expect.stringMatching(/^svc_pat_/),
      actor: { actor_type: 'human', display_name: 'Ada Lovelace', email: `${ada}@example.org`, tenant_id: tenant },
    })
    const hours = (Date.parse(first.expires_at) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(11.9)
    expect(hours).toBeLessThanOrEqual(12)
    const again = await signIn(ada)
    expect(again.actor.actor_id).toBe(first.actor.actor_id)
    expect(again.token).not.toBe(first.token)
    // A session allows as much as a key: an agent that it creates does not expire with it.
    const agent = await h
      .as(again.token)
      .post('/api/actors', { display_name: 'Scout', actor_type: 'agent' })
      .expect(200)
    expect(agent.expires_at).toBeNull()
    expect(await h.as(again.token).get('/api/actors/me').expect(200)).toMatchObject({ scopes: null, expires_at: null })
  })

  it('begins at one server, finishes at another, and is in the security log', async () => {
    const { actor, credential_id } = await finish(await returnFrom(idp.current, h, ada), elsewhere).expect(200)
    const listed = await h.as(root).get(`/api/actors/${actor.actor_id}/credentials`).expect(200)
    const identity = listed.find(({ kind }: { kind: string }) => kind === 'identity')
    expect(listed).toMatchObject([{ kind: 'api_key' }, { kind: 'session', credential_id }, { kind: 'identity' }])
    expect(listed[1].created_with).toEqual({ actor_id: actor.actor_id, credential_id: identity.credential_id })
    const [began] = await audit(`session.created&subject_id=${credential_id}`)
    expect(began).toMatchObject({ actor_id: actor.actor_id, details: { way: 'oidc' } })
    expect(await audit(`identity.bound&subject_id=${identity.credential_id}`)).toMatchObject([
      { subject_id: identity.credential_id, details: { issuer: idp.current.issuer, subject: ada } },
    ])
  })

  it('never takes over an account with the same unverified address', async () => {
    const claimed = await h.post('/api/actors', { display_name: 'Eve', email: `${ada}@example.org` }).expect(200)
    await moveInto(h.connection, tenant, claimed)
    const { actor } = await signIn(ada)
    expect(actor.actor_id).not.toBe(claimed.actor_id)
  })

  it('redeems an invite for the verified address', async () => {
    const space = await h.openSpace(root)
    const default_space_id = space.split('/').at(-1)
    const invite = { email: `${ada.toUpperCase()}@example.org`, default_space_id }
    const { invite_id } = await h.as(root).post('/api/invites', invite).expect(200)
    const { actor } = await signIn(ada)
    expect(actor).toMatchObject({ default_space_id })
    const invites = await h.as(root).get('/api/invites').expect(200)
    expect(invites.find((one: { invite_id: string }) => one.invite_id === invite_id)).toMatchObject({
      redeemed_at: expect.any(String),
    })
  })

  it('creates a guest if the invite is for guests', async () => {
    const space = await h.openSpace(root)
    await h
      .as(root)
      .post('/api/invites', { email: `${ada}@example.org`, access: 'named' })
      .expect(200)
    const { token } = await signIn(ada)
    await h.as(token).get(`${space}/events`).expect(404)
    await h.as(token).post('/api/spaces', { space_id: 'of-a-guest' }).expect(403, 'A guest cannot create spaces')
  })

  it('opens the account to which its holder has bound the identity', async () => {
    const bob = await h.registerHuman('Bob')
    await h
      .as(bob)
      .post('/api/identities', await returnFrom(idp.current, h, ada))
      .expect(200)
    expect((await signIn(ada)).actor.actor_id).toBe(bob.actor_id)
    const eve = await h.registerHuman('Eve')
    const taken = await returnFrom(idp.current, h, ada)
    await h.as(eve).post('/api/identities', taken).expect(409, 'This identity belongs to an account already')
    const { token } = await h
      .as(bob)
      .post('/api/personal-access-tokens', { name: 'x', scopes: ['account'] })
      .expect(200)
    const limited = await returnFrom(idp.current, h, person())
    await h.as(token).post('/api/identities', limited).expect(403)
  })
})

describe('an identity', () => {
  it('that was bound with a stolen token ends with the token, and so do its sessions', async () => {
    const bob = await h.registerHuman('Bob')
    const { token, pat_id } = await h.as(bob).post('/api/personal-access-tokens', { name: 'stolen' }).expect(200)
    await h
      .as(token)
      .post('/api/identities', await returnFrom(idp.current, h, ada))
      .expect(200)
    const session = await signIn(ada)
    expect(session.actor.actor_id).toBe(bob.actor_id)
    await h.as(bob).delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
    await h.as(session.token).get('/api/actors/me').expect(401)
    expect((await signIn(ada)).actor.actor_id).not.toBe(bob.actor_id)
  })

  it('that created an account remains when its holder revokes all credentials', async () => {
    const { token, actor } = await signIn(ada)
    await h.as(token).post(`/api/actors/${actor.actor_id}/rotate-key`, { revoke_tokens: true }).expect(200)
    expect((await signIn(ada)).actor.actor_id).toBe(actor.actor_id)
  })
})

describe('a sign-in fails', () => {
  it('with an identity that is removed meanwhile', async () => {
    const { token, actor } = await signIn(ada)
    const path = `/api/actors/${actor.actor_id}/credentials`
    const listed: { kind: string; credential_id: string }[] = await h.as(token).get(path).expect(200)
    const identity = listed.find(({ kind }) => kind === 'identity')?.credential_id
    const returned = await returnFrom(idp.current, h, ada)
    const held = await hold(h.connection, 'SELECT FROM actors WHERE actor_id = $1 FOR UPDATE', [actor.actor_id])
    const removing = h.as(token).delete(`${path}/${identity}`)
    await waiting(h.connection, 1)
    const signingIn = finish(returned)
    await waiting(h.connection, 2)
    await held.query('COMMIT')
    await removing.expect(200)
    await signingIn.expect(403, FAILED)
  })

  it('with a forged or changed state', async () => {
    const returned = await returnFrom(idp.current, h, ada)
    await finish({ ...returned, state: 'nonsense' }).expect(403, FAILED)
    const state = `${returned.state.slice(0, -1)}${returned.state.endsWith('A') ? 'B' : 'A'}`
    await finish({ ...returned, state }).expect(403, FAILED)
    await finish(returned).expect(200)
  })

  it('with the verifier of another page', async () => {
    const { verifier: _, ...address } = await returnFrom(idp.current, h, ada)
    await finish({ ...address, verifier: newVerifier().verifier }).expect(403, FAILED)
  })

  it('with the code of another sign-in', async () => {
    const [one, other] = [await returnFrom(idp.current, h, ada), await returnFrom(idp.current, h, ada)]
    await finish({ ...one, code: other.code }).expect(403, FAILED)
  })

  it('with another nonce', async () => {
    const returned = await returnFrom(idp.current, h, ada, (url) => url.searchParams.set('nonce', 'stolen'))
    await finish(returned).expect(403, FAILED)
  })

  it('when its response is reused', async () => {
    const returned = await returnFrom(idp.current, h, ada)
    const first = await finish(returned).expect(200)
    await finish(returned).expect(403, FAILED)
    await finish(returned, elsewhere).expect(403, FAILED)
    expect(first.actor.tenant_id).toBe(tenant)
  })

  it('with a response of another issuer', async () => {
    const returned = await returnFrom(idp.current, h, ada)
    await finish({ ...returned, iss: 'https://evil.example.org' }).expect(403, FAILED)
  })

  it.each<[string, (claims: IdClaims) => IdClaims]>([
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example.org' })],
    ['another audience', (claims) => ({ ...claims, aud: 'another-client' })],
    ['several audiences and another party', (claims) => ({ ...claims, aud: ['spaces', 'other'], azp: 'other' })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['an expiry in the past', (claims) => ({ ...claims, exp: 1_000_000_000 })],
    ['a subject that the provider does not confirm', (claims) => ({ ...claims, sub: 'another-subject' })],
  ])('with an ID token that has %s', async (_what, tamper) => {
    const returned = await returnFrom(idp.current, h, ada)
    idp.current.tamper = tamper
    await finish(returned).expect(403, FAILED)
  })

  it('with an ID token that is signed with another key', async () => {
    const returned = await returnFrom(idp.current, h, ada)
    const { key } = idp.current
    // A token that is signed again with the right key is accepted.
    idp.current.tamper = (claims) => claims
    await finish(returned).expect(200)
    const again = await returnFrom(idp.current, h, ada)
    idp.current.key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    await finish(again).expect(403, FAILED)
    idp.current.key = key
  })

  it.each<[string, IdClaims, string]>([
    [
      'without a verified address',
      { email_verified: false },
      'The identity provider has not verified the e-mail address of this account',
    ],
    [
      'that does not say whether its address is verified',
      { email_verified: undefined },
      'The identity provider has not verified the e-mail address of this account',
    ],
    ['without an address', { email: undefined }, 'The identity provider sent no e-mail address for this account'],
    ['of no tenant', { hd: undefined }, 'The identity provider names no tenant in "hd"'],
    ['of an unknown tenant', { hd: 'Nowhere' }, 'The tenant of this account is not here'],
  ])('for an account %s, which the log of the installation records', async (_what, claims, why) => {
    const subject = person(claims)
    await finish(await returnFrom(idp.current, h, subject)).expect(403, why)
    const lines = await operate('audit', 'list', '--installation', '--subject', subject)
    expect(lines.join('\n')).toContain('sign_in.refused')
  })

  it('with 503 while the provider is down, and with 403 for a code from before its restart', async () => {
    const returned = await returnFrom(idp.current, h, ada)
    const { accounts, key } = idp.current
    idp.current.stop()
    await finish(returned).expect(503, 'The identity provider does not answer; try again shortly')
    idp.current = await IdentityProvider.start(port, key)
    for (const [subject, claims] of accounts) idp.current.accounts.set(subject, claims)
    // The provider has lost its codes.
    await finish(returned).expect(403, FAILED)
  })
})

describe('the provider', () => {
  it('has a URL that ends its own session after a sign-out', async () => {
    const { logout_url } = await signIn(ada)
    const { origin, searchParams } = new URL(logout_url)
    expect(origin).toBe(idp.current.issuer)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'spaces',
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      post_logout_redirect_uri: `${site}/sign-in/callback`,
    })
  })

  it('asks the user to confirm the sign-out if the ID token is too long for a URL', async () => {
    idp.current.tamper = (claims) => ({ ...claims, groups: Array.from({ length: 400 }, (_, n) => `group-${n}`) })
    const { logout_url } = await signIn(ada)
    expect([...new URL(logout_url).searchParams.keys()].toSorted()).toEqual(['client_id', 'post_logout_redirect_uri'])
  })

  it('may have no URL to end a session', async () => {
    const { accounts, key } = idp.current
    idp.current.stop()
    idp.current = await IdentityProvider.start(port, key, false)
    for (const [subject, claims] of accounts) idp.current.accounts.set(subject, claims)
    expect(await signIn(ada)).toMatchObject({ logout_url: null })
    idp.current.stop()
    idp.current = await IdentityProvider.start(port, key)
  })

  it('can change its keys from one sign-in to the next', async () => {
    await signIn(ada)
    const { accounts } = idp.current
    idp.current.stop()
    idp.current = await IdentityProvider.start(port, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
    for (const [subject, claims] of accounts) idp.current.accounts.set(subject, claims)
    await signIn(ada)
  })

  it('may send email_verified as a string', async () => {
    await signIn(person({ email_verified: 'true' }))
    await finish(await returnFrom(idp.current, h, person({ email_verified: 'false' }))).expect(403, /not verified/)
  })

  it('decides at each sign-in whether a human is an admin', async () => {
    const boss = person({ groups: ['people', 'spaces-admins'] })
    const { token, actor } = await signIn(boss)
    await h.as(token).get('/api/invites').expect(200)
    idp.current.accounts.set(boss, { ...idp.current.accounts.get(boss), groups: ['people'] })
    const later = await signIn(boss)
    // The earlier session loses the rights, too.
    for (const session of [later.token, token]) await h.as(session).get('/api/invites').expect(403)
    const acts = (await h.as(root).get(`/api/audit?subject_id=${actor.actor_id}`).expect(200)) as { action: string }[]
    expect(acts.map(({ action }) => action)).toEqual(['admin.withdrawn', 'admin.granted', 'actor.registered'])
  })

  it('opens all open spaces to a guest that it makes an admin, and to the guest’s agents', async () => {
    const boss = person({ groups: [] })
    const { token, actor } = await signIn(boss)
    const scout = await h.as(token).post('/api/actors', { display_name: 'Scout', actor_type: 'agent' }).expect(200)
    const space = await h.openSpace(root)
    await h.as(root).put(`/api/tenants/${tenant}/members/${actor.actor_id}/access`, { access: 'named' }).expect(200)
    await h.as(scout).get(`${space}/events`).expect(404)
    idp.current.accounts.set(boss, { ...idp.current.accounts.get(boss), groups: ['spaces-admins'] })
    const later = await signIn(boss)
    for (const each of [later.token, scout]) await h.as(each).get(`${space}/events`).expect(200)
    await h.as(later.token).get('/api/invites').expect(200)
  })

  it('does not decide who is an admin of another tenant', async () => {
    const boss = person({ groups: ['spaces-admins'] })
    const { token, actor } = await signIn(boss)
    await h.as(token).post('/api/tenants', { name: 'Own' }).expect(200)
    idp.current.accounts.set(boss, { ...idp.current.accounts.get(boss), groups: [] })
    const later = await signIn(boss)
    expect(later.actor.tenant_id).not.toBe(tenant)
    await h.as(later.token).get('/api/invites').expect(200)
    expect(later.actor.actor_id).toBe(actor.actor_id)
  })

  it('rejects a deleted account, whose session lasts until it expires', async () => {
    const { token, credential_id, actor } = await signIn(ada)
    idp.current.accounts.delete(ada)
    await expect(returnFrom(idp.current, h, ada)).rejects.toThrow()
    await h.as(token).get('/api/actors/me').expect(200)
    await query(h.connection, `UPDATE personal_access_tokens SET expires_at = now() WHERE pat_id = $1`, [credential_id])
    await h.as(token).get('/api/actors/me').expect(401, 'The credential has expired')
    const listed = await h.as(root).get(`/api/actors/${actor.actor_id}/credentials`).expect(200)
    expect(listed.map(({ kind }: { kind: string }) => kind)).toEqual(['api_key', 'identity'])
  })

  it('does not readmit an actor that an admin has disabled or removed', async () => {
    const { actor, token } = await signIn(ada)
    await h.as(root).post(`/api/actors/${actor.actor_id}/disable`).expect(200)
    await h.as(token).get('/api/actors/me').expect(401)
    await finish(await returnFrom(idp.current, h, ada)).expect(403, /disabled/)
    await h.as(root).post(`/api/actors/${actor.actor_id}/enable`).expect(200)
    await h.as(root).delete(`/api/tenants/${tenant}/members/${actor.actor_id}`).expect(200)
    expect((await signIn(ada)).actor.tenant_id).toBeNull()
  })

  it('is not called for a request without a valid challenge', async () => {
    await h.post('/api/sign-in/oidc', { challenge: 'short' }).expect(400, 'challenge: must be a SHA-256 in base64url')
  })
})

describe('an issuer in OIDC_ISSUER', () => {
  const issuer = `http://localhost:${port}`
  const captured = capturingLog()
  const wrong = useServer({ ...settings, OIDC_ISSUER: issuer }, h, captured.log)

  it('other than the provider’s is named in the response and the log', async () => {
    const { challenge } = newVerifier()
    const detail = `The identity provider calls itself ${idp.current.issuer}, but OIDC_ISSUER is ${issuer}: the operator has to set them alike`
    await wrong.post('/api/sign-in/oidc', { challenge }).expect(503, detail)
    expect(captured.text()).toContain(detail)
  })

  const program = useProgram({ ...settings, OIDC_ISSUER: issuer, LOG_LEVEL: 'warn', LOG_FORMAT: 'json' })
  const unreachable = useProgram({ ...settings, OIDC_ISSUER: `http://127.0.0.1:${unused}`, LOG_LEVEL: 'warn' })

  it('other than the provider’s is named at the start, which continues', async () => {
    await program.get('/health').expect(200)
    await eventually(() =>
      program.program.stderr.includes(
        `The identity provider calls itself ${idp.current.issuer}, but OIDC_ISSUER is ${issuer}`,
      ),
    )
  })

  it('that does not answer is named with the cause at the start, which continues', async () => {
    await unreachable.get('/health').expect(200)
    const warning = `OIDC_ISSUER http://127.0.0.1:${unused} cannot be checked: connect ECONNREFUSED 127.0.0.1:${unused}`
    await eventually(() => unreachable.program.stderr.includes(warning))
  })

  it('other than the provider’s is a problem for `operate check`', async () => {
    const lines = await operatorOf(h, { ...settings, OIDC_ISSUER: issuer })('check')
    expect(lines).toContain(
      `The identity provider calls itself ${idp.current.issuer}, but OIDC_ISSUER is ${issuer}: the operator has to set them alike`,
    )
    expect(lines.at(-1)).toMatch(/1 problem found\.$/)
  })

  it.each([
    ['of the provider', port],
    ['that does not answer', unused],
  ])('%s is no problem for `operate check`', async (_what, at) => {
    const lines = await operatorOf(h, { ...settings, OIDC_ISSUER: `http://127.0.0.1:${at}` })('check')
    expect(lines.at(-1)).toMatch(/all is well\.$/)
  })
})

describe('a server without a provider', () => {
  const plain = useServer({ OIDC_ISSUER: '' }, h)

  it('offers no such sign-in, and returns 403', async () => {
    expect(await plain.get('/api/sign-in').expect(200)).toMatchObject({ oidc: null })
    const { challenge } = newVerifier()
    const detail = 'This installation offers no sign-in with an identity provider'
    await plain.post('/api/sign-in/oidc', { challenge }).expect(403, detail)
    await finish({ code: 'x', state: 'x', iss: 'x', verifier: 'x' }, plain).expect(403, detail)
  })
})
