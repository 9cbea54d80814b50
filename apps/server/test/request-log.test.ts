import { once } from 'node:events'
import { request } from 'node:http'
import { eventually, useDatabase } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { hold, waiting } from './support/locks.js'
import { capturingLog } from './support/log.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const captured = capturingLog()
const h = useServer({}, useDatabase(), captured.log)
const behind = useServer({ TRUST_PROXY: '1' }, h, captured.log)

/** Returns the log line of a request, once the request has ended. */
const lineOf = (id: string) =>
  eventually(() => captured.lines().find(({ reqId, msg }) => reqId === id && String(msg).startsWith('request')))

const levelOf = async (id: string) => (await lineOf(id)).level

const named = (id: string) => ({ headers: { 'x-request-id': id } })

describe('the log line of a request', () => {
  it('has the level info and an ISO 8601 time', async () => {
    await h.get('/openapi.json', named('plain')).expect(200)
    expect(await lineOf('plain')).toMatchObject({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it('has the level debug for health checks', async () => {
    for (const path of ['/health', '/ready']) {
      await h.get(path, named(path.slice(1))).expect(200)
      expect(await levelOf(path.slice(1))).toBe('debug')
    }
  })

  it('has the address of the client, also if the client disconnects early', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    await h.get('/api/spaces', { headers: { ...headers, 'x-request-id': 'unproxied' } }).expect(401)
    expect(await lineOf('unproxied')).toMatchObject({ address: '127.0.0.1' })
    await behind.get('/api/spaces', { headers: { ...headers, 'x-request-id': 'proxied' } }).expect(401)
    expect(await lineOf('proxied')).toMatchObject({ address: '203.0.113.7' })
    const { api_key } = await h.registerHuman()
    const inbox = `${h.url}/api/actors/me/inbox?wait=50`
    const gone = request(inbox, { headers: { authorization: `Bearer ${api_key}`, 'x-request-id': 'gone' } })
    gone.on('error', () => {}).end()
    await once(gone, 'finish')
    gone.destroy()
    expect(await lineOf('gone')).toMatchObject({ address: '127.0.0.1' })
  })

  it('has the status 499 for a client that disconnected before its answer', async () => {
    const { ada, path } = await h.adasSpace()
    const held = await hold(h.connection, 'SELECT FROM spaces FOR UPDATE')
    const headers = {
      authorization: `Bearer ${ada.api_key}`,
      'x-request-id': 'gave-up',
      'content-type': 'application/json',
    }
    const gone = request(`${h.url}${path}`, { method: 'PATCH', headers })
    gone.on('error', () => {}).end('{"title":"Plans"}')
    await waiting(h.connection, 1)
    gone.destroy()
    expect(await lineOf('gave-up')).toMatchObject({ res: { status: 499 } })
    await held.query('COMMIT')
  })

  it('has the level debug for a long poll, by REST or a typed call', async () => {
    const ada = await h.registerHuman()
    const inbox = '/api/actors/me/inbox'
    await h.as(ada).get(`${inbox}?wait=1`, named('waited')).expect(200)
    await h.as(ada).get(`${inbox}?wait=0`, named('looked')).expect(200)
    expect(await levelOf('waited')).toBe('debug')
    expect(await levelOf('looked')).toBe('info')
    const input = encodeURIComponent(JSON.stringify({ wait: 1 }))
    await h.as(ada).get(`/trpc/inbox.get?input=${input}`, named('typed')).expect(200)
    expect(await levelOf('typed')).toBe('debug')
  })

  it('has the level debug for a stream', async () => {
    const ada = await h.registerHuman()
    const path = await h.openSpace(ada)
    const stream = await StreamReader.open(h.as(ada), path, named('stream'))
    await stream.close()
    expect(await levelOf('stream')).toBe('debug')
  })

  it('has the level info for a refused long poll or stream', async () => {
    const ada = await h.registerHuman()
    await h.get('/api/actors/me/inbox?wait=50', named('stranger')).expect(401)
    await h.as(ada).get('/api/spaces/nowhere/events?wait=50', named('nowhere')).expect(404)
    await h.as(ada).get('/api/spaces/nowhere/events/stream', named('no-stream')).expect(404)
    for (const id of ['stranger', 'nowhere', 'no-stream']) expect(await levelOf(id)).toBe('info')
  })
})
