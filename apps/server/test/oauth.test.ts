import { type Actor, bearer, query } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { capturingLog } from './support/log.js'
import { Browser, type OauthAnswer, Program, REDIRECT } from './support/oauth.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { ACCEPT, toolCall } from './support/tool-call.js'

const captured = capturingLog()
const h = useServer({}, undefined, captured.log)
const operate = operatorOf(h)

const READ_WRITE = ['read', 'write'] as const
const allOf = ({ actor_id }: Actor) => ({ actor_id, scopes: READ_WRITE })
const credentialsOf = async (actor: Actor, by = actor) =>
  await h.as(by).get(`/api/actors/${actor.actor_id}/credentials`).expect(200)
const grantsOf = async (actor: Actor, by = actor) =>
  (await credentialsOf(actor, by)).filter(({ kind }: { kind: string }) => kind === 'grant')

/** Calls a tool with a token, and returns the status and the caller's id. */
async function whoami(token: string, url = h.url): Promise<[status: number, actorId?: string | undefined]> {
  const headers = { ...bearer(token), ...ACCEPT, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(toolCall('whoami')) })
  const text = await answer.text()
  return answer.status === 200 ? [200, /"actor_id":"(\w+)"/.exec(text)?.[1]] : [answer.status]
}

const refused = ({ status, body }: OauthAnswer) => [status, body.error]
const INVALID_GRANT = [400, 'invalid_grant']

describe('a client whose metadata document cannot be fetched', () => {
  it.each([
    [
      'https://10.0.0.1/client.json?a=<b>',
      'https://10.0.0.1/client.json?a=&#60;b&#62;',
      'Its address has no host name',
    ],
    ['https://localhost:1/client.json', 'https://localhost:1/client.json', 'The connection was refused'],
  ])('is refused with its URL %s, and the cause is in the log only', async (clientId, shown, why) => {
    const url = new URL('/oauth/authorize', h.url)
    url.search = String(new URLSearchParams({ client_id: clientId, response_type: 'code' }))
    const { status, text } = await new Browser().open(url)
    expect([status, text]).toEqual([400, expect.stringContaining(`document: <code>${shown}</code></p>`)])
    expect(text).not.toContain(why)
    const logged = captured.lines().filter((line) => line.clientId === clientId)
    expect(logged).toMatchObject([{ level: 'warn', why, msg: 'the document of an OAuth client was not accepted' }])
  })
})

describe('metadata', () => {
  it('lists the endpoints, scopes and methods', async () => {
    const resource = await fetch(`${h.url}/.well-known/oauth-protected-resource/mcp`)
    expect(await resource.json()).toEqual({
      resource: `${h.url}/mcp`,
      authorization_servers: [h.url],
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Collaboration Spaces',
    })
    const server = await fetch(`${h.url}/.well-known/oauth-authorization-server`)
    expect(await server.json()).toEqual({
      issuer: h.url,
      authorization_endpoint: `${h.url}/oauth/authorize`,
      token_endpoint: `${h.url}/oauth/token`,
      registration_endpoint: `${h.url}/oauth/register`,
      revocation_endpoint: `${h.url}/oauth/revoke`,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      response_modes_supported: ['query', 'fragment'],
      response_types_supported: ['code'],
      scopes_supported: ['read', 'write', 'react', 'settle', 'manage', 'account', 'offline_access'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    })
    const stranger = await fetch(`${h.url}/mcp`, { method: 'POST', headers: ACCEPT, body: '{}' })
    expect(stranger.status).toBe(401)
    expect(stranger.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${h.url}/.well-known/oauth-protected-resource/mcp", scope="read write"`,
    )
    await h.get('/api/actors/me').expect(401)
  })
})

describe('a grant', () => {
  it('is a limited credential, listed and recorded, that the actor who gave it can revoke', async () => {
    const { ada, path, space_id } = await h.adasSpace()
    const other = await h.openSpace(ada)
    const program = new Program(h.url)
    const tokens = await program.connect(ada.api_key, { ...allOf(ada), space_ids: [space_id] })
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'read write', expires_in: 3_600 })
    expect(await whoami(tokens.access_token)).toEqual([200, ada.actor_id])

    const [grant] = await grantsOf(ada)
    expect(grant).toMatchObject({
      name: 'Scripted (127.0.0.1:7777)',
      scopes: READ_WRITE,
      space_ids: [space_id],
      created_with: { actor_id: ada.actor_id, credential_id: 'api_key' },
    })
    expect(JSON.stringify(grant)).not.toContain(tokens.access_token)
    const { rows } = await query(h.connection, `SELECT action, details FROM audit_entries WHERE subject_id = $1`, [
      grant.credential_id,
    ])
    expect(rows).toEqual([{ action: 'grant.created', details: JSON.stringify({ client: program.clientId }) }])

    const asApi = await new Program(h.url).connect(ada.api_key, allOf(ada), { resource: `${h.url}/api` })
    await h.as(asApi.access_token).get(`${path}/events`).expect(200)
    await h.as(asApi.access_token).get(`${other}/events`).expect(200)
    await h.as(asApi.access_token).post('/api/personal-access-tokens', { name: 'more' }).expect(403)

    await h.as(ada).delete(`/api/actors/${ada.actor_id}/credentials/${grant.credential_id}`).expect(200)
    expect(await whoami(tokens.access_token)).toEqual([401])
    expect(refused(await program.refresh(tokens.refresh_token))).toEqual(INVALID_GRANT)
  })

  it('acts as an agent, belongs to it, and ends with the credential that gave it', async () => {
    const ada = await h.registerHuman()
    const scout = await h.registerAgent(ada)
    const { token, pat_id } = await h.as(ada).post('/api/personal-access-tokens', { name: 'laptop' }).expect(200)
    const tokens = await new Program(h.url).connect(token, allOf(scout))
    expect(await whoami(tokens.access_token)).toEqual([200, scout.actor_id])
    expect(await grantsOf(ada)).toEqual([])
    const [grant] = await grantsOf(scout, ada)
    expect(grant).toMatchObject({ actor_id: scout.actor_id, created_with: { credential_id: pat_id } })

    const laptop = (await credentialsOf(ada)).find(({ kind }: { kind: string }) => kind === 'token')
    expect(laptop.ends.items).toMatchObject([{ kind: 'grant', id: grant.credential_id, actor_id: scout.actor_id }])
    await h.as(ada).delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
    expect(await whoami(tokens.access_token)).toEqual([401])
  })

  it('of an agent counts towards the quota of tokens of its sponsor', async () => {
    const ada = await h.registerHuman()
    const { tenant_id } = await h.as(ada).post('/api/tenants', { name: 'Small' }).expect(200)
    const scout = await h.registerAgent(ada)
    await operate('tenant', 'quota', 'set', tenant_id, '--tokens-per-human', '1')
    await new Program(h.url).connect(ada.api_key, allOf(scout))
    await expect(new Program(h.url).connect(ada.api_key, allOf(scout))).rejects.toThrow(
      '403 {"detail":"The quota of tokens',
    )
  })

  it('receives new tokens by a refresh, after which the old access token is rejected', async () => {
    const ada = await h.registerHuman()
    const program = new Program(h.url)
    const first = await program.connect(ada.api_key, allOf(ada))
    const { body: second } = await program.refresh(first.refresh_token)
    expect(await whoami(first.access_token)).toEqual([401])
    expect(await whoami(second.access_token)).toEqual([200, ada.actor_id])
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(await grantsOf(ada)).toHaveLength(1)
  })

  it.each([
    ['storing the new token', `oauth_records ADD CONSTRAINT fault CHECK (kind <> 'AccessToken') NOT VALID`],
    ['changing the grant', `personal_access_tokens ADD CONSTRAINT fault CHECK (kind <> 'grant') NOT VALID`],
  ])('survives a request for tokens that failed while %s, once it is repeated', async (_what, fault) => {
    const ada = await h.registerHuman()
    const program = new Program(h.url)
    await program.register()
    const back = await new Browser().consent(program.authorizeUrl(), ada.api_key, allOf(ada))
    /** Makes a request fail, and repeats it. */
    const repeated = async (ask: () => Promise<OauthAnswer>) => {
      await query(h.connection, `ALTER TABLE ${fault}`)
      const failed = await ask().catch(() => null)
      await query(h.connection, `ALTER TABLE ${fault.split(' ')[0]} DROP CONSTRAINT fault`)
      expect(failed?.status).not.toBe(200)
      return (await ask()).body
    }
    const first = await repeated(() => program.redeem(back.searchParams.get('code') ?? ''))
    const second = await repeated(() => program.refresh(first.refresh_token))
    expect(await whoami(second.access_token)).toEqual([200, ada.actor_id])
    expect(refused(await program.refresh(first.refresh_token))).toEqual(INVALID_GRANT)
    expect(await whoami(second.access_token)).toEqual([401])
  })

  it('is revoked with either of its tokens, but only by its own client', async () => {
    const ada = await h.registerHuman()
    for (const which of ['access_token', 'refresh_token'] as const) {
      const program = new Program(h.url)
      const tokens = await program.connect(ada.api_key, allOf(ada))
      expect((await program.revoke(tokens[which])).status).toBe(200)
      expect(await whoami(tokens.access_token)).toEqual([401])
      expect(refused(await program.refresh(tokens.refresh_token))).toEqual(INVALID_GRANT)
    }
    expect(await grantsOf(ada)).toEqual([])
    const stranger = new Program(h.url)
    const tokens = await stranger.connect(ada.api_key, allOf(ada))
    const other = new Program(h.url)
    await other.register()
    expect((await other.revoke(tokens.access_token)).status).toBe(200)
    expect(await whoami(tokens.access_token)).toEqual([200, ada.actor_id])
  })

  it('expires at the time in the consent', async () => {
    const ada = await h.registerHuman()
    const program = new Program(h.url)
    const expires_at = new Date(Date.now() + 60_000).toISOString()
    const tokens = await program.connect(ada.api_key, { ...allOf(ada), expires_at })
    expect(tokens.expires_in).toBeLessThanOrEqual(60)
    await query(
      h.connection,
      `UPDATE personal_access_tokens SET expires_at = now() WHERE kind = 'grant' AND actor_id = $1`,
      [ada.actor_id],
    )
    expect(await whoami(tokens.access_token)).toEqual([401])
    expect(refused(await program.refresh(tokens.refresh_token))).toEqual(INVALID_GRANT)
  })

  it('closes its streams within a second when it is revoked', async () => {
    const { ada, path } = await h.adasSpace()
    const program = new Program(h.url)
    const { access_token } = await program.connect(ada.api_key, allOf(ada), { resource: `${h.url}/api` })
    const stream = await fetch(`${h.url}${path}/events/stream`, { headers: bearer(access_token) })
    expect(stream.status).toBe(200)
    const ended = stream.text().catch(() => '')
    await program.revoke(access_token)
    const revokedAt = performance.now()
    await ended
    expect(performance.now() - revokedAt).toBeLessThan(1_000)
  })
})

describe('a server that may not send requests to the internet', () => {
  const loggedBy = capturingLog()
  const closed = useServer({ WEBHOOK_NETWORKS: '10.0.0.0/8' }, h, loggedBy.log)

  it('supports the registration of clients, but not their metadata documents', async () => {
    const metadata = await fetch(`${closed.url}/.well-known/oauth-authorization-server`)
    expect(await metadata.json()).toMatchObject({
      client_id_metadata_document_supported: false,
      registration_endpoint: `${closed.url}/oauth/register`,
    })
  })

  it('logs the reason when a client names a metadata document', async () => {
    const url = new URL('/oauth/authorize?client_id=https://localhost/client.json&response_type=code', closed.url)
    expect(await new Browser().open(url)).toMatchObject({ status: 400 })
    const why = 'Its address is not one that this server may send to (WEBHOOK_NETWORKS)'
    expect(loggedBy.lines()).toContainEqual(expect.objectContaining({ level: 'warn', why }))
  })
})

describe('a resource with a trailing slash', () => {
  it('equals the resource without it', async () => {
    const ada = await h.registerHuman()
    const metadata = await fetch(`${h.url}/.well-known/oauth-protected-resource/mcp/`)
    expect(await metadata.json()).toMatchObject({ resource: `${h.url}/mcp` })
    for (const [asked, redeemed] of [
      ['/', '/'],
      ['/', ''],
      ['', '/'],
    ] as const) {
      const program = new Program(h.url)
      await program.register()
      const url = program.authorizeUrl({ resource: `${h.url}/mcp${asked}` })
      const back = await new Browser().consent(url, ada.api_key, allOf(ada))
      const code = back.searchParams.get('code') ?? ''
      const { body } = await program.redeem(code, { resource: `${h.url}/mcp${redeemed}` })
      expect(await whoami(body.access_token)).toEqual([200, ada.actor_id])
      const refreshed = await program.refresh(body.refresh_token)
      expect(await whoami(refreshed.body.access_token)).toEqual([200, ada.actor_id])
    }
    const api = await new Program(h.url).connect(ada.api_key, allOf(ada), { resource: `${h.url}/api/` })
    await h.as(api.access_token).get('/api/actors/me').expect(200)
    expect(await whoami(api.access_token)).toEqual([401])
  })
})

describe('the authorization server', () => {
  it('rejects a token for another resource', async () => {
    const ada = await h.registerHuman()
    const mcp = await new Program(h.url).connect(ada.api_key, allOf(ada))
    await h.as(mcp.access_token).get('/api/actors/me').expect(401)
    const api = await new Program(h.url).connect(ada.api_key, allOf(ada), { resource: `${h.url}/api` })
    expect(await whoami(api.access_token)).toEqual([401])
    const program = new Program(h.url)
    await program.register()
    const { url } = await new Browser().open(program.authorizeUrl({ resource: 'https://elsewhere.example/mcp' }))
    expect(url.searchParams.get('error')).toBe('invalid_target')
    const tokens = await program.connect(ada.api_key, allOf(ada))
    const answer = await program.refresh(tokens.refresh_token, { resource: `${h.url}/api` })
    expect(refused(answer)).toEqual([400, 'invalid_target'])
  })

  it('rejects a stolen code without its verifier', async () => {
    const ada = await h.registerHuman()
    const program = new Program(h.url)
    await program.register()
    const back = await new Browser().consent(program.authorizeUrl(), ada.api_key, allOf(ada))
    const code = back.searchParams.get('code') ?? ''
    expect(refused(await program.redeem(code, { code_verifier: 'x'.repeat(43) }))).toEqual(INVALID_GRANT)
    expect(refused(await program.redeem(code, { code_verifier: '' }))).toEqual(INVALID_GRANT)
    const thief = new Program(h.url)
    await thief.register()
    expect(refused(await program.redeem(code, { client_id: thief.clientId }))).toEqual(INVALID_GRANT)
    for (const changes of [{ code_challenge: undefined }, { code_challenge_method: 'plain' }]) {
      const { url } = await new Browser().open(program.authorizeUrl(changes))
      expect(url.searchParams.get('error')).toBe('invalid_request')
    }
  })

  it('rejects a reused code and revokes the grant', async () => {
    const ada = await h.registerHuman()
    const program = new Program(h.url)
    await program.register()
    const back = await new Browser().consent(program.authorizeUrl(), ada.api_key, allOf(ada))
    const code = back.searchParams.get('code') ?? ''
    const { body: tokens } = await program.redeem(code)
    expect(await whoami(tokens.access_token)).toEqual([200, ada.actor_id])
    expect(refused(await program.redeem(code))).toEqual(INVALID_GRANT)
    expect(await whoami(tokens.access_token)).toEqual([401])
  })

  it('rejects a reused refresh token, revokes the grant and records the reason', async () => {
    const ada = await h.registerHuman()
    const program = new Program(h.url)
    const first = await program.connect(ada.api_key, allOf(ada))
    const [{ credential_id }] = await grantsOf(ada)
    const { body: second } = await program.refresh(first.refresh_token)
    expect(refused(await program.refresh(first.refresh_token))).toEqual(INVALID_GRANT)
    expect(await whoami(second.access_token)).toEqual([401])
    expect(refused(await program.refresh(second.refresh_token))).toEqual(INVALID_GRANT)
    const { rows } = await query(
      h.connection,
      `SELECT details FROM audit_entries WHERE subject_id = $1 AND action = 'grant.revoked'`,
      [credential_id],
    )
    expect(rows).toEqual([{ details: '{"reason":"A code or a refresh token was used twice"}' }])
  })

  it('accepts at most one of several concurrent uses of a refresh token', async () => {
    const ada = await h.registerHuman()
    const program = new Program(h.url)
    const { refresh_token } = await program.connect(ada.api_key, allOf(ada))
    const answers = await Promise.all(Array.from({ length: 5 }, () => program.refresh(refresh_token)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  it('rejects a redirect URI that is unregistered or not allowed', async () => {
    const program = new Program(h.url)
    await program.register()
    const { url, status, text } = await new Browser().open(
      program.authorizeUrl({ redirect_uri: 'https://evil.example/callback' }),
    )
    expect([url.origin, status]).toEqual([h.url, 400])
    expect(text).toContain('redirect_uri')
    for (const redirect of ['http://evil.example/callback', 'javascript:alert(1)', 'https://a.example/#part']) {
      const { status } = await program.register({ redirect_uris: [redirect] })
      expect([redirect, status]).toEqual([redirect, 400])
    }
    // A native client may listen on any port.
    const native = new Program(h.url)
    await native.register()
    const elsewhere = REDIRECT.replace('7777', '8888')
    expect((await new Browser().open(native.authorizeUrl({ redirect_uri: elsewhere }))).url.pathname).toMatch(
      /^\/connect/,
    )
  })

  it('names itself as the issuer of each response', async () => {
    const ada = await h.registerHuman()
    const program = new Program(h.url)
    await program.register()
    const browser = new Browser()
    const back = await browser.consent(program.authorizeUrl(), ada.api_key, allOf(ada))
    expect(back.searchParams.get('iss')).toBe(h.url)
    expect(back.searchParams.get('state')).toBe('a state')
    const { url } = await browser.open(program.authorizeUrl())
    const answer = await browser.answer(url, ada.api_key, { error: 'access_denied' })
    const denied = await browser.open(new URL(((await answer.json()) as { redirect_to: string }).redirect_to))
    expect(Object.fromEntries(denied.url.searchParams)).toMatchObject({ error: 'access_denied', iss: h.url })
  })

  it('rejects an answer to an expired request, or from another browser or origin', async () => {
    const ada = await h.registerHuman()
    const program = new Program(h.url)
    await program.register()
    const [adas, thief] = [new Browser(), new Browser()]
    const { url: page } = await adas.open(program.authorizeUrl())
    const over = 'This request has expired or was made in another browser: go back to the program'
    const answered = async (answer: Promise<Response>) => {
      const { status, body } = await answer.then(async (one) => ({ status: one.status, body: await one.json() }))
      return [status, (body as { detail: string }).detail]
    }
    expect(await answered(thief.request(page))).toEqual([404, over])
    expect(await answered(thief.answer(page, ada.api_key, allOf(ada)))).toEqual([404, over])
    // The cookies of the thief's own request do not help.
    const { url: own } = await thief.open(program.authorizeUrl())
    const cookies = thief.cookies.filter(({ path }) => path === own.pathname)
    thief.cookies.push(...cookies.map((cookie) => ({ ...cookie, path: page.pathname })))
    expect(await answered(thief.answer(page, ada.api_key, allOf(ada)))).toEqual([404, over])

    expect((await adas.request(page)).status).toBe(200)
    expect(await answered(adas.answer(page, ada.api_key, allOf(ada), { origin: 'https://evil.example' }))).toEqual([
      403,
      'A page of another origin cannot answer for you',
    ])
    expect((await adas.answer(page, 'svc_nothing', allOf(ada))).status).toBe(401)
    expect((await adas.answer(page, ada.api_key, allOf(ada))).status).toBe(200)
    expect(await answered(adas.answer(page, ada.api_key, allOf(ada)))).toEqual([
      409,
      'This request has been answered: go back to the program',
    ])
    const { url: late } = await adas.open(program.authorizeUrl())
    await query(h.connection, `UPDATE oauth_records SET expires_at = now() WHERE kind = 'Interaction'`)
    expect(await answered(adas.answer(late, ada.api_key, allOf(ada)))).toEqual([404, over])
    expect(await grantsOf(ada)).toHaveLength(1)
  })

  it('rejects a consent to more than the credential allows', async () => {
    const { ada, space_id } = await h.adasSpace()
    const bob = await h.registerHuman('Bob')
    const bobs = await h.registerAgent(bob)
    const token = async (limits: object) =>
      (
        await h
          .as(ada)
          .post('/api/personal-access-tokens', { name: 'x', ...limits })
          .expect(200)
      ).token as string
    const program = new Program(h.url)
    await program.register()
    const status = async (key: string, consent: object) => {
      const browser = new Browser()
      const { url } = await browser.open(program.authorizeUrl())
      return (await browser.answer(url, key, consent as never)).status
    }
    expect(await status(await token({ scopes: ['read', 'write'] }), allOf(ada))).toBe(403)
    expect(await status(await token({ space_ids: [space_id] }), { ...allOf(ada), space_ids: [space_id] })).toBe(403)
    const limited = await token({
      scopes: ['read', 'account'],
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    })
    expect(await status(limited, allOf(ada))).toBe(403)
    expect(await status(limited, { ...allOf(ada), scopes: ['read'] })).toBe(200)
    expect((await grantsOf(ada))[0].expires_at).not.toBeNull()
    expect(await status(ada.api_key, { ...allOf(ada), actor_id: bobs.actor_id })).toBe(404)
    expect(await status(ada.api_key, { ...allOf(ada), actor_id: bob.actor_id })).toBe(404)
    expect(await status((await h.registerAgent(ada)).api_key, allOf(ada))).toBe(403)
    expect(await status(ada.api_key, { actor_id: ada.actor_id })).toBe(400)
    expect(await status(ada.api_key, { ...allOf(ada), scopes: ['everything'] })).toBe(400)
    expect(await status(ada.api_key, { ...allOf(ada), space_ids: ['no-such-space'] })).toBe(404)
    const mcp = await new Program(h.url).connect(ada.api_key, { ...allOf(ada), scopes: ['read', 'account'] })
    expect(await status(mcp.access_token, allOf(ada))).toBe(401)
  })

  it.each<[string, (ada: Actor, scout: Actor) => PromiseLike<unknown>, status: string]>([
    ['disabled', (_ada, scout) => operate('actor', 'disable', scout.actor_id), '403'],
    ['deleted', (ada, scout) => h.as(ada).delete(`/api/actors/${scout.actor_id}`).expect(200), '404'],
  ])('rejects the tokens of an agent that is %s', async (_state, end, status) => {
    const ada = await h.registerHuman()
    const scout = await h.registerAgent(ada)
    const program = new Program(h.url)
    const tokens = await program.connect(ada.api_key, allOf(scout))
    await end(ada, scout)
    expect(await whoami(tokens.access_token)).toEqual([401])
    expect(refused(await program.refresh(tokens.refresh_token))).toEqual(INVALID_GRANT)
    await expect(new Program(h.url).connect(ada.api_key, allOf(scout))).rejects.toThrow(status)
  })

  it('accepts only reads with the token of a stopped agent', async () => {
    const { ada, space_id } = await h.adasSpace()
    const scout = await h.registerAgent(ada)
    const { access_token } = await new Program(h.url).connect(ada.api_key, allOf(scout), { resource: `${h.url}/api` })
    await h.as(ada).post(`/api/actors/${scout.actor_id}/stop`, {}).expect(200)
    await h.as(access_token).get(`/api/spaces/${space_id}/events`).expect(200)
    await h.as(access_token).post('/api/spaces', { space_id: 'of-a-stopped-one' }).expect(403)
  })
})

describe('a new client', () => {
  it('is limited in size, and expires within 25 hours', async () => {
    const program = new Program(h.url)
    expect((await program.register({ client_name: 'x'.repeat(9_000) })).status).toBe(400)
    await program.register()
    const { rows } = await query(
      h.connection,
      `SELECT max(expires_at) < now() + interval '25 hours' AS "isShort" FROM oauth_records
       WHERE id_hash = sha256($1::bytea) AND kind = 'Client'`,
      [Buffer.from(program.clientId)],
    )
    expect(rows).toEqual([{ isShort: true }])
  })

  it('leaves no secret, code, token or verifier in the database', async () => {
    const ada = await h.registerHuman()
    const program = new Program(h.url)
    await program.register({ token_endpoint_auth_method: 'client_secret_post' })
    const secretive = new Program(h.url)
    const { body } = await secretive.register({ token_endpoint_auth_method: 'client_secret_post' })
    const secret = (body as unknown as { client_secret: string }).client_secret
    const back = await new Browser().consent(secretive.authorizeUrl(), ada.api_key, allOf(ada))
    const code = back.searchParams.get('code') ?? ''
    expect(refused(await secretive.redeem(code))).toEqual([401, 'invalid_client'])
    const { body: tokens } = await secretive.redeem(code, { client_secret: secret })
    const { rows } = await query(h.connection, 'SELECT r::text FROM oauth_records r')
    const stored = JSON.stringify(rows)
    for (const one of [secret, code, tokens.refresh_token, tokens.access_token.slice(-43), secretive.verifier]) {
      expect(stored).not.toContain(one)
    }
  })
})
