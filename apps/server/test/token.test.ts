import { crc32 } from 'node:zlib'
import { type Actor, query } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { addPasskey } from './support/authenticator.js'
import { TIMESTAMP } from './support/form.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const h = useServer()

const PATH = '/api/personal-access-tokens'
const UNKNOWN = `pat_${'0'.repeat(24)}`

const make = (actor: Actor, name = 'laptop') => h.as(actor).post(PATH, { name }).expect(200)
const list = (actor: Actor, parameters = '') =>
  h
    .as(actor)
    .get(PATH + parameters)
    .expect(200)
const withoutToken = ({ token: _, ...metadata }: Record<string, unknown>) => metadata

describe('POST /api/personal-access-tokens', () => {
  it('creates a token and shows it only once', async () => {
    const ada = await h.registerHuman()
    const made = await make(ada)
    expect(made).toEqual({
      pat_id: expect.stringMatching(/^pat_[0-9A-Za-z]{24}$/),
      name: 'laptop',
      token: expect.stringMatching(/^svc_pat_[0-9a-f]{60}$/),
      token_prefix: made.token.slice(0, 16),
      created_at: expect.stringMatching(TIMESTAMP),
      last_used_at: null,
      revoked_at: null,
      scopes: null,
      space_ids: null,
      expires_at: null,
    })
    expect(JSON.stringify(await list(ada))).not.toContain(made.token)
  })

  it('ends the token with a CRC-32 of the rest, so that scanners can verify it offline', async () => {
    const { token } = await make(await h.registerHuman())
    expect(token.slice(-8)).toBe(crc32(token.slice(0, -8)).toString(16).padStart(8, '0'))
  })

  it('accepts a name of 1 to 64 characters', async () => {
    const ada = await h.registerHuman()
    expect((await make(ada, '𝒶'.repeat(64))).name).toBe('𝒶'.repeat(64))
    expect((await make(ada, 'x')).name).toBe('x')
    for (const body of [{}, { name: null }, { name: '' }, { name: 'x'.repeat(65) }, { name: 7 }, { name: '\0' }]) {
      await h
        .as(ada)
        .post(PATH, body)
        .expect(400, /^name: /)
    }
  })
})

describe('GET /api/personal-access-tokens', () => {
  it('lists the tokens of the caller, newest first, without the plaintext', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    expect(await list(ada)).toEqual([])
    const [first, second] = [await make(ada, 'first'), await make(ada, 'second')]
    await make(bob, 'another')
    expect(await list(ada)).toEqual([second, first].map(withoutToken))
  })

  it('shows revoked ones only with include_revoked=true', async () => {
    const ada = await h.registerHuman()
    const [kept, revoked] = [await make(ada, 'kept'), await make(ada, 'revoked')]
    await h.as(ada).delete(`${PATH}/${revoked.pat_id}`).expect(200)
    const names = async (parameters: string) => (await list(ada, parameters)).map(({ name }: { name: string }) => name)
    expect(await names('')).toEqual(['kept'])
    expect(await names('?include_revoked=false')).toEqual(['kept'])
    expect(await names('?include_revoked=true')).toEqual(['revoked', 'kept'])
    expect((await list(ada, '?include_revoked=1'))[0].revoked_at).toEqual(expect.any(String))
    await h
      .as(ada)
      .get(`${PATH}?include_revoked=yes`)
      .expect(400, /^include_revoked: /)
    expect(kept.revoked_at).toBeNull()
  })
})

describe('DELETE /api/personal-access-tokens/{pat_id}', () => {
  it('revokes a token, and a repetition changes nothing', async () => {
    const ada = await h.registerHuman()
    const { pat_id } = await make(ada)
    expect(await h.as(ada).delete(`${PATH}/${pat_id}`).expect(200)).toEqual({ ok: true })
    const [{ revoked_at }] = await list(ada, '?include_revoked=true')
    expect(await h.as(ada).delete(`${PATH}/${pat_id}`).expect(200)).toEqual({ ok: true })
    expect((await list(ada, '?include_revoked=true'))[0].revoked_at).toBe(revoked_at)
  })

  it('returns 404 for an unknown token and for that of another human, which stays valid', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    const { pat_id, token } = await make(bob)
    for (const id of [UNKNOWN, pat_id, 'x']) await h.as(ada).delete(`${PATH}/${id}`).expect(404, 'Token not found')
    await h.as(token).get('/api/actors/me').expect(200)
  })
})

describe('the other credentials of a human', () => {
  it('are unknown here, and stay valid', async () => {
    const ada = await h.registerHuman()
    await addPasskey(h.as(ada))
    const credentials = async () => await h.as(ada).get(`/api/actors/${ada.actor_id}/credentials`).expect(200)
    const before = await credentials()
    expect(before.map(({ kind }: { kind: string }) => kind)).toEqual(['api_key', 'passkey'])
    for (const { credential_id } of before)
      await h.as(ada).delete(`${PATH}/${credential_id}`).expect(404, 'Token not found')
    expect(await credentials()).toEqual(before)
  })
})

describe('a token as the bearer', () => {
  it('authenticates its human wherever the API key does', async () => {
    const ada = await h.registerHuman('Ada')
    const { token } = await make(ada)
    const space = await h.openSpace({ ...ada, api_key: token })
    expect((await h.as(token).get('/api/actors/me').expect(200)).actor_id).toBe(ada.actor_id)
    expect((await h.as(token).post(`${space}/join`).expect(200)).actor_id).toBe(ada.actor_id)
    expect((await h.as(token).post(`${space}/speech`, { text: 'hi' }).expect(200)).posted_by).toBe(ada.actor_id)
    expect(await h.get(`${space}/events?token=${token}`).expect(200)).toHaveLength(1)
    expect((await h.as(token).post(PATH, { name: 'by token' }).expect(200)).name).toBe('by token')
  })

  it('sponsors an agent', async () => {
    const ada = await h.registerHuman('Ada')
    const { token } = await make(ada)
    const agent = await h.as(token).post('/api/actors', { display_name: 'Scout', actor_type: 'agent' }).expect(200)
    expect(agent.sponsor_id).toBe(ada.actor_id)
    expect(await h.as(ada).get('/api/actors/me/agents').expect(200)).toMatchObject([{ actor_id: agent.actor_id }])
  })

  it('is invalid when any part of it is changed', async () => {
    const { token } = await make(await h.registerHuman())
    const flipped = (token.at(10) === '0' ? '1' : '0') as string
    for (const wrong of [
      token.slice(0, -1),
      `${token}0`,
      token.toUpperCase(),
      token.slice(0, 10) + flipped + token.slice(11),
    ]) {
      await h.as(wrong).get('/api/actors/me').expect(401, 'Authentication required')
    }
  })

  it('stays valid after a rotation of the API key', async () => {
    const ada = await h.registerHuman()
    const { token } = await make(ada)
    await h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200)
    await h.as(ada).get('/api/actors/me').expect(401)
    await h.as(token).get('/api/actors/me').expect(200)
  })

  it('ends at once when revoked, with its streams but not those of the API key', async () => {
    const { ada, path: space } = await h.adasSpace()
    const { token, pat_id } = await make(ada)
    const byToken = await StreamReader.open(h, space, { query: `?token=${token}` })
    const byKey = await StreamReader.open(h.as(ada), space)
    await h.as(ada).delete(`${PATH}/${pat_id}`).expect(200)
    await h.as(token).get('/api/actors/me').expect(401, 'Authentication required')
    await byToken.ended
    await h.as(ada).post(`${space}/speech`, { text: 'still here' }).expect(200)
    await byKey.read(1)
    expect(byToken.events).toEqual([])
    await byKey.close()
  })

  it('ends with the deletion of its human', async () => {
    const { ada, path: space } = await h.adasSpace()
    const { token } = await make(ada)
    const stream = await StreamReader.open(h.as(token), space)
    await h.as(token).delete(`/api/actors/${ada.actor_id}`).expect(200)
    await h.as(token).get('/api/actors/me').expect(401)
    await stream.ended
  })
})

describe('last_used_at', () => {
  it('is null until the token is used, and then accurate to the minute', async () => {
    const ada = await h.registerHuman()
    const { token, pat_id } = await make(ada)
    const lastUse = async () => (await list(ada))[0].last_used_at
    expect(await lastUse()).toBeNull()
    const before = Date.now()
    await h.as(token).get('/api/actors/me').expect(200)
    const first = await lastUse()
    expect(Date.parse(first)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(first)).toBeLessThanOrEqual(Date.now())

    const age = (interval: string) =>
      query(h.connection, `UPDATE personal_access_tokens SET last_used_at = now() - $2::interval WHERE pat_id = $1`, [
        pat_id,
        interval,
      ])
    await age('61 seconds')
    const since = Date.now()
    await h.as(token).get('/api/actors/me').expect(200)
    expect(Date.parse(await lastUse())).toBeGreaterThanOrEqual(since)
  })
})
