import { type Actor, type Answer, NOTHING, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()
const UNKNOWN_KEY = `svc_${'0'.repeat(64)}`

let ada: Actor
let grace: Actor

beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  grace = await h.registerHuman('Grace')
})

describe('the Authorization header', () => {
  const me = (authorization: string) => h.get('/api/actors/me', { headers: { authorization } })

  it('accepts the key as a bearer token, whatever the case and spacing', async () => {
    for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'Bearer   ']) {
      expect((await me(scheme + ada.api_key).expect(200)).actor_id).toBe(ada.actor_id)
    }
  })

  it('returns 401 for another scheme, or none', async () => {
    const basic = `Basic ${Buffer.from(`ada:${ada.api_key}`).toString('base64')}`
    for (const wrong of [
      basic,
      `Basic ${ada.api_key}`,
      `Token ${ada.api_key}`,
      ada.api_key,
      `Bearer${ada.api_key}`,
      'Bearer',
      '',
    ]) {
      await me(wrong).expect(401, 'Authentication required')
    }
  })

  it('is requested with WWW-Authenticate: Bearer by REST, typed calls and streams', async () => {
    for (const path of ['/api/actors/me', '/trpc/actor.me', '/api/spaces/any/events/stream']) {
      for (const headers of [{}, { authorization: `Bearer ${UNKNOWN_KEY}` }]) {
        const answer = await h.get(path, { headers })
        expect([answer.status, answer.headers.get('www-authenticate')], path).toEqual([401, 'Bearer'])
      }
    }
  })

  it('returns 401 for anything but exactly one whole key', async () => {
    const key = ada.api_key
    for (const wrong of [
      UNKNOWN_KEY,
      key.slice(0, -1),
      `${key}0`,
      key.toUpperCase(),
      key.slice('svc_'.length),
      `svc_pat_${key.slice(-60)}`,
      `${key} ${key}`,
      `${key}, Bearer ${key}`,
      `"${key}"`,
      `${key}%00`,
      `svc_${'é'.repeat(64)}`,
      `svc_${"' OR 1=1 --".padEnd(64, '0')}`,
    ]) {
      await me(`Bearer ${wrong}`).expect(401, 'Authentication required')
    }
  })
})

describe('the token parameter', () => {
  it('accepts the key, alone or among other parameters, encoded or not', async () => {
    const encoded = ada.api_key.replace('svc_', '%73vc%5F')
    for (const query of [`token=${ada.api_key}`, `status=active&token=${ada.api_key}&x=1`, `token=${encoded}`]) {
      await h.get(`/api/actors/me/spaces?${query}`).expect(200)
    }
  })

  it('accepts the key for writes, with a deprecation header', async () => {
    const path = await h.openSpace(ada)
    const event = await h.post(`${path}/speech?token=${ada.api_key}`, { text: 'Hello' }).expect(200)
    expect(event.posted_by).toBe(ada.actor_id)
    await h.patch(`/api/actors/${ada.actor_id}?token=${ada.api_key}`, {}).expect(200)
    const headersOf = async (answer: PromiseLike<Answer>) => {
      const { headers } = await answer
      return [headers.get('deprecation'), headers.get('link')]
    }
    const warned = [expect.stringMatching(/^@\d{10}$/), expect.stringMatching(/rel="deprecation"/)]
    const write = { text: 'Hello' }
    expect(await headersOf(h.post(`${path}/speech?token=${ada.api_key}`, write))).toEqual(warned)
    expect(await headersOf(h.as(ada).post(`${path}/speech?token=${ada.api_key}`, write))).toEqual([null, null])
    expect(await headersOf(h.get(`${path}/events?token=${ada.api_key}`))).toEqual([null, null])
    expect(await headersOf(h.get(`${path}/events/stream?token=${ada.api_key}`))).toEqual([null, null])
    await h.patch(`/api/actors/${ada.actor_id}?token=${grace.api_key}`, {}).expect(403)
  })

  it('returns 401 for anything but exactly one whole key', async () => {
    for (const wrong of ['', UNKNOWN_KEY, 'nonsense', '%E0%A4%A', '%00', `${ada.api_key}0`, `+${ada.api_key}`]) {
      await h.get(`/api/actors/me?token=${wrong}`).expect(401, 'Authentication required')
    }
    await h.get(`/api/actors/me?Token=${ada.api_key}`).expect(401)
    await h.get(`/api/actors/me?xtoken=${ada.api_key}`).expect(401)
    await h.post(`/api/spaces?x=1`, { token: ada.api_key, space_id: 'x' }).expect(401)
  })

  it('is not part of the input: no error repeats it', async () => {
    const { text } = await h.get(`/api/actors/me?token=${ada.api_key}&token=${grace.api_key}`)
    expect(text).not.toContain(ada.api_key)
    expect(text).not.toContain(grace.api_key)
  })
})

describe('the Authorization header beside the token parameter', () => {
  it('decides who the caller is', async () => {
    expect((await h.as(ada).get(`/api/actors/me?token=${grace.api_key}`).expect(200)).actor_id).toBe(ada.actor_id)
    expect((await h.as(ada).get(`/api/actors/me?token=${UNKNOWN_KEY}`).expect(200)).actor_id).toBe(ada.actor_id)
  })

  it('decides even when it is invalid', async () => {
    const token = `?token=${ada.api_key}`
    await h.as(UNKNOWN_KEY).get(`/api/actors/me${token}`).expect(401, 'Authentication required')
    const headers = { authorization: 'Basic YWRhOg==' }
    await h.get(`/api/actors/me${token}`, { headers }).expect(401, 'Authentication required')
  })
})

describe('the order of checks', () => {
  it('begins with 404 for an unknown path and 405 for a wrong method, whatever the key', async () => {
    for (const client of [h, h.as(UNKNOWN_KEY), h.as(ada)]) {
      await client.post('/api/nothing', '{"half').expect(404, 'Path not found: see /docs')
      await client.put('/api/spaces', '{"half').expect(405)
    }
  })

  it('continues with 401, whatever else is wrong', async () => {
    for (const body of ['{"half', '[]', '"text"', 'x'.repeat(5_000_000), new Uint8Array([0xff, 0xfe]), undefined]) {
      await h.as(UNKNOWN_KEY).post(`/api/spaces/nowhere/speech?a=1&a=2`, body).expect(401, 'Authentication required')
    }
    await h.patch(`/api/actors/${UNKNOWN_ACTOR}`, { display_name: 7 }).expect(401, 'Authentication required')
    await h.get('/api/spaces/%E0%A4%A/status').expect(401, 'Authentication required')
  })

  it('puts 400 before 404', async () => {
    await h.as(ada).patch(`/api/actors/${UNKNOWN_ACTOR}`, { display_name: 7 }).expect(400)
    await h.as(ada).patch(`/api/actors/${UNKNOWN_ACTOR}`, {}).expect(404)
    await h.as(ada).post('/api/spaces/nowhere/speech', {}).expect(400)
    await h.as(ada).get(`/api/spaces/nowhere/events?since=${NOTHING}&limit=0`).expect(400)
  })

  it('puts 400 before 403 and 409', async () => {
    await h.as(grace).patch(`/api/actors/${ada.actor_id}`, { display_name: 7 }).expect(400)
    const taken = (await h.openSpace(ada)).split('/').at(-1)
    await h
      .as(ada)
      .post('/api/spaces', { space_id: taken, links: ['nowhere'] })
      .expect(400)
  })

  it('puts 403 and 404 before 409', async () => {
    const agent = await h.registerAgent(ada)
    const path = `/api/actors/${agent.actor_id}`
    await h.as(ada).post(`${path}/connect`, { installation_id: 'laptop' }).expect(200)
    await h.as(grace).post(`${path}/rotate-key`).expect(403)
    await h.as(ada).post(`${path}/rotate-key`).expect(409)

    const space = await h.openSpace(ada)
    await h.as(ada).patch(space, { status: 'paused' }).expect(200)
    await h.as(ada).post(`${space}/response`, { text: 'x', thread_id: NOTHING }).expect(404, 'Thread not found')
    await h.as(ada).post(`${space}/response`, { text: 'x', parent_event_id: NOTHING }).expect(404)
    await h.as(ada).post(`${space}/threads`, { subject: 'x', parent_event_id: NOTHING }).expect(404)
    await h.as(ada).post(`${space}/response`, { text: 'x' }).expect(409, 'Space is not active')
  })
})
