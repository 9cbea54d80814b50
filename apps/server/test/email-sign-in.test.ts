import { randomUUID } from 'node:crypto'
import { SIGN_IN_MAILS, SIGN_IN_MS } from '@collab-spaces/domain'
import { type Actor, freePorts, query, sharedMail } from '@collab-spaces/testing'
import { newVerifier } from '@collab-spaces/testing/identity-provider'
import { beforeEach, describe, expect, it } from 'vitest'
import { later } from './support/clock.js'
import { bindEmail, codesSentTo, requestBinding, requestSignIn } from './support/email-link.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto, setTenantStatus } from './support/tenant.js'

const h = useServer({ TRUST_PROXY: '1', FAILED_CREDENTIAL_LIMIT: '10' })
/** Another server of the same installation. */
const elsewhere = useServer({}, h)

const away = await freePorts(1)

const FAILED = 'The sign-in failed or took too long: begin again'
const BEGIN = '/api/sign-in/email'
const FINISH = '/api/sign-in/email/finish'
const BIND = '/api/identities/email/finish'

let tenant: string
let ada: Actor
let root: Actor
let email: string

beforeEach(async () => {
  await query(h.connection, 'DELETE FROM rate_counts')
  tenant = await foundTenant(h.connection)
  ;[ada, root] = [await h.registerHuman('Ada'), await h.registerHuman('Root')]
  await moveInto(h.connection, tenant, ada, root)
  await makeAdmin(h.connection, root)
  email = `Ada.${randomUUID()}@example.org`
})

const credentialsOf = (actor: Actor) => `/api/actors/${actor.actor_id}/credentials`
const listed = (actor: Actor, viewer = actor) => h.as(viewer).get(credentialsOf(actor)).expect(200)
const begin = (to: string, from = '203.0.113.7') =>
  h.post(BEGIN, { email: to, challenge: newVerifier().challenge }, { headers: { 'x-forwarded-for': from } })

async function removeEmail(actor: Actor): Promise<void> {
  const { credential_id } = (await listed(actor)).find(({ kind }: { kind: string }) => kind === 'identity')
  await h
    .as(actor)
    .delete(`${credentialsOf(actor)}/${credential_id}`)
    .expect(200)
}

describe('a sign-in link', () => {
  it('signs in to the account with the address, at any server, and is recorded in the security log', async () => {
    await bindEmail(h.as(ada), email)
    expect(await h.get('/api/sign-in').expect(200)).toMatchObject({ email: true })
    const link = await requestSignIn(h, email)
    const { actor, token, expires_at } = await elsewhere.post(FINISH, { ...link, name: 'Firefox' }).expect(200)
    expect(actor.actor_id).toBe(ada.actor_id)
    expect((Date.parse(expires_at) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
    await h.as(token).get('/api/actors/me').expect(200)
    const [, session, identity] = await listed(ada)
    expect(session).toMatchObject({ name: 'Firefox', created_with: { credential_id: identity.credential_id } })
    expect(identity).toMatchObject({ kind: 'identity', name: email, last_used_at: expect.any(String) })
    const audit = await h.as(root).get(`/api/audit?actor_id=${ada.actor_id}`).expect(200)
    expect(audit).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'session.created', details: { way: 'email' } }),
        expect.objectContaining({ action: 'identity.bound', details: { issuer: 'mailto:' } }),
      ]),
    )
  })

  it('is sent to the address as it was confirmed, in any spelling of the request', async () => {
    await bindEmail(h.as(ada), email)
    await h.post(FINISH, await requestSignIn(h, email.toUpperCase(), email)).expect(200)
    expect(await codesSentTo(email.toUpperCase())).toEqual([])
  })

  it('works once, even when opened concurrently at two servers', async () => {
    await bindEmail(h.as(ada), email)
    const link = await requestSignIn(h, email)
    const answers = await Promise.all([h, elsewhere, h, elsewhere].map((server) => server.post(FINISH, link)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
    await h.post(FINISH, link).expect(403, FAILED)
    expect((await listed(ada)).filter(({ kind }: { kind: string }) => kind === 'session')).toHaveLength(1)
  })

  it('is rejected in another browser, and still works in the one that requested it', async () => {
    await bindEmail(h.as(ada), email)
    const { code, verifier } = await requestSignIn(h, email)
    await h.post(FINISH, { code, verifier: newVerifier().verifier }).expect(403, FAILED)
    // Mail scanners open links, but no request contains the code: it is in the fragment.
    await fetch(`${h.url}/sign-in/email`)
    await h.post(FINISH, { code, verifier }).expect(200)
  })

  it('expires after ten minutes', async () => {
    await bindEmail(h.as(ada), email)
    const [first, second] = [await requestSignIn(h, email), await requestSignIn(h, email)]
    later(SIGN_IN_MS.email - 5_000)
    await h.post(FINISH, first).expect(200)
    later(5_000)
    await h.post(FINISH, second).expect(403, FAILED)
  })

  it('works for its purpose only, and not with a forged code', async () => {
    const binding = await requestBinding(h.as(ada), email)
    await h.post(FINISH, binding).expect(403, FAILED)
    await h.post(BIND, binding).expect(200)
    const link = await requestSignIn(h, email)
    await h.post(BIND, link).expect(403, FAILED)
    const changed = `${link.code.slice(0, -2)}${link.code.endsWith('AA') ? 'BB' : 'AA'}`
    for (const code of [changed, `${link.code}=`, Buffer.alloc(200).toString('base64url')]) {
      await h.post(FINISH, { ...link, code }).expect(403, FAILED)
    }
    await h.post(FINISH, link).expect(200)
  })

  it('is rejected once the address is removed, even if another account has bound it since', async () => {
    await bindEmail(h.as(ada), email)
    const [link, before] = [await requestSignIn(h, email), await requestSignIn(h, email)]
    const { token } = await h.post(FINISH, before).expect(200)
    await removeEmail(ada)
    await h.as(token).get('/api/actors/me').expect(401)
    await h.post(FINISH, link).expect(403, FAILED)
    const eve = await h.registerHuman('Eve')
    await bindEmail(h.as(eve), email)
    await h.post(FINISH, link).expect(403, FAILED)
    const { actor } = await h.post(FINISH, await requestSignIn(h, email)).expect(200)
    expect(actor.actor_id).toBe(eve.actor_id)
  })

  it('is rejected for an account that is disabled, suspended or deleted', async () => {
    await bindEmail(h.as(ada), email)
    const links = [await requestSignIn(h, email), await requestSignIn(h, email), await requestSignIn(h, email)] as const
    await h.as(root).post(`/api/actors/${ada.actor_id}/disable`).expect(200)
    await h.post(FINISH, links[0]).expect(403, /^This account is disabled/)
    await h.as(root).post(`/api/actors/${ada.actor_id}/enable`).expect(200)
    await setTenantStatus(h.connection, tenant, 'suspended')
    await h.post(FINISH, links[1]).expect(403, 'Tenant is suspended')
    await setTenantStatus(h.connection, tenant, 'active')
    await h.as(ada).delete(`/api/actors/${ada.actor_id}`).expect(200)
    await h.post(FINISH, links[2]).expect(403, FAILED)
    expect(await query(h.connection, 'SELECT FROM identities WHERE email = $1', [email])).toMatchObject({ rowCount: 0 })
  })

  it('is protected from guessing by the limit of failures per address', async () => {
    await bindEmail(h.as(ada), email)
    const { code } = await requestSignIn(h, email)
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const guess = () => h.post(FINISH, { code, verifier: newVerifier().verifier }, { headers })
    for (let turn = 0; turn < 10; turn++) await guess().expect(403, FAILED)
    const answers = [await guess(), await h.as('svc_wrong').get('/api/actors/me', { headers })]
    expect(answers.map(({ status }) => status)).toContain(429)
  })
})

describe('a request for a sign-in link', () => {
  it('returns the same for an address without an account, which gets no mail', async () => {
    await bindEmail(h.as(ada), email)
    const stranger = `unknown.${randomUUID()}@example.org`
    const [known, unknown] = [await begin(email), await begin(stranger)]
    const shown = ({ status, text, headers }: typeof known) => {
      const { date, 'x-request-id': id, ...others } = Object.fromEntries(headers)
      return { status, text, others, varies: [typeof date, typeof id] }
    }
    expect(shown(unknown)).toEqual(shown(known))
    expect(known.expect(200)).toEqual({ ok: true })
    await requestSignIn(h, email)
    expect(await codesSentTo(stranger)).toEqual([])
  })

  it('is rejected beyond the rate of a mailbox, with or without an account, in all spellings', async () => {
    await bindEmail(h.as(ada), email)
    for (const address of [email, `unknown.${randomUUID()}@example.org`]) {
      const [local, domain] = address.split('@') as [string, string]
      const spellings = [address, address.toUpperCase(), `${local}+1@${domain}`, `"${local}"@${domain}`, address]
      expect(spellings).toHaveLength(SIGN_IN_MAILS.toMailbox)
      for (const [turn, spelling] of spellings.entries()) await begin(spelling, `203.0.113.${turn}`).expect(200)
      await begin(address, '198.51.100.1').expect(429, /for this e-mail address/)
    }
  })

  it('is rejected beyond the rate of a network address, and accepted from another', async () => {
    for (let turn = 0; turn < SIGN_IN_MAILS.fromAddress; turn++) await begin(`${randomUUID()}@example.org`).expect(200)
    await begin(email).expect(429, /from this address/)
    await begin(email, '198.51.100.1').expect(200)
  })

  it('returns before the mail is sent', async () => {
    await bindEmail(h.as(ada), email)
    const { messages } = await sharedMail()
    const before = messages.length
    await begin(email).expect(200)
    expect(messages).toHaveLength(before)
  })
})

describe('an e-mail address for sign-ins', () => {
  it('is bound by its link, once, in the browser that requested it', async () => {
    const { code, verifier } = await requestBinding(h.as(ada), email)
    await h.post(BIND, { code, verifier: newVerifier().verifier }).expect(403, FAILED)
    const answers = await Promise.all([h, elsewhere].map((server) => server.post(BIND, { code, verifier })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    await removeEmail(ada)
    await h.post(BIND, { code, verifier }).expect(403, FAILED)
    expect((await listed(ada)).map(({ kind }: { kind: string }) => kind)).toEqual(['api_key'])
  })

  it('belongs to the first account that confirms it', async () => {
    const eve = await h.registerHuman('Eve')
    const spelled = email.replace('Ada', 'ADA')
    const [hers, eves] = [await requestBinding(h.as(ada), email), await requestBinding(h.as(eve), spelled)]
    const answers = await Promise.all([h.post(BIND, hers), elsewhere.post(BIND, eves)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('is not bound by a revoked credential, nor after ten minutes', async () => {
    const { token, pat_id } = await h.as(ada).post('/api/personal-access-tokens', { name: 'stolen' }).expect(200)
    const link = await requestBinding(h.as(token), email)
    await h.as(ada).delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
    await h.post(BIND, link).expect(401)
    const late = await requestBinding(h.as(ada), email)
    later(SIGN_IN_MS.email)
    await h.post(BIND, late).expect(403, FAILED)
  })

  it('is hidden from admins and the security log', async () => {
    await bindEmail(h.as(ada), email)
    const seen = [await listed(ada, root), await h.as(root).get('/api/audit').expect(200)]
    expect(JSON.stringify(seen)).not.toContain(email.slice(4, 20))
  })

  it('is neither the address of the account nor that of its notifications', async () => {
    const eve = await h.post('/api/actors', { display_name: 'Eve', email }).expect(200)
    await h.as(eve).put('/api/actors/me/notifications', { email }).expect(200)
    await query(h.connection, 'UPDATE notification_channels SET verified_at = now() WHERE address = $1', [email])
    await begin(email).expect(200)
    // Mails arrive in order, so an earlier one would be here.
    const other = `${randomUUID()}@example.org`
    await bindEmail(h.as(root), other)
    await requestSignIn(h, other)
    expect((await codesSentTo(email)).filter(Boolean)).toEqual([])
  })
})

describe('a server without a mail server', () => {
  const mute = useServer({ SMTP_URL: '' }, h)

  it('rejects requests for links with 409', async () => {
    expect(await mute.get('/api/sign-in').expect(200)).toMatchObject({ email: false })
    const { challenge } = newVerifier()
    for (const [client, path] of [
      [mute, BEGIN],
      [mute.as(ada), '/api/identities/email'],
    ] as const) {
      const refusal = await client.post(path, { email, challenge }).expect(409)
      expect(refusal).toMatchObject({ error: 'no_mail' })
    }
  })
})

describe('a server whose mail server is unreachable', () => {
  const lost = useServer({ SMTP_URL: `smtp://127.0.0.1:${away}` }, h)

  it('returns the same for a request for a link, with and without an account', async () => {
    await bindEmail(h.as(ada), email)
    const { challenge } = newVerifier()
    for (const address of [email, `unknown.${randomUUID()}@example.org`]) {
      expect(await lost.post(BEGIN, { email: address, challenge }).expect(200)).toEqual({ ok: true })
    }
  })
})
