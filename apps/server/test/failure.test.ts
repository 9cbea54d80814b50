import { CHUNK_BYTES } from '@collab-spaces/domain'
import { type Actor, eventually, IMPATIENT, query, useDatabase } from '@collab-spaces/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { useDatabaseProxy } from './support/database-proxy.js'
import { operations } from './support/document.js'
import { capturingLog } from './support/log.js'
import { useServer } from './support/server.js'

const captured = capturingLog()
const database = useDatabase()
const proxy = useDatabaseProxy(database)
const h = useServer(IMPATIENT, proxy, captured.log)
let ada: Actor

beforeAll(async () => {
  ada = await h.registerHuman()
})

describe('an internal error', () => {
  it('returns 500 with a request ID, and its cause only in the log', async () => {
    const space = await h.openSpace(ada)
    await query(database.connection, 'ALTER TABLE participants RENAME TO lost')
    try {
      const answer = await h.as(ada).get(`${space}/participants`, { headers: { 'x-request-id': 'find-me' } })
      expect(answer.expect(500)).toEqual({ detail: 'Internal server error', request_id: 'find-me' })
      expect(answer.headers.get('x-request-id')).toBe('find-me')
      const cause = captured.lines().find(({ requestId }) => requestId === 'find-me')
      expect(JSON.stringify(cause)).toContain('participants')
    } finally {
      await query(database.connection, 'ALTER TABLE lost RENAME TO participants')
    }
    await h.as(ada).get(`${space}/participants`).expect(200)
  })
})

/** The fields that operations without a credential require; all others look up their caller first. */
const ANY_BODY = {
  display_name: 'Grace',
  email: 'grace@example.org',
  code: 'agt_code_0123456789',
  installation_id: 'here',
}

describe('a connection that breaks after a commit', () => {
  it('keeps the bytes of an upload, whose retry returns the file', async () => {
    const space = await h.openSpace(ada)
    const bytes = Buffer.alloc(CHUNK_BYTES + 1, 'To the sea. ')
    const upload = () =>
      h.as(ada).post(`${space}/files?name=plan.bin`, bytes, {
        headers: { 'content-type': 'application/octet-stream', 'idempotency-key': 'plan' },
      })
    proxy.loseCommitOf('INSERT INTO files')
    await upload().expect(503)
    const { file_id } = await upload().expect(200)
    const content = await h.as(ada).get(`${space}/files/${file_id}/content`)
    expect(content.expect(200)).toBe(bytes.toString())
  })
})

describe('an unreachable database', () => {
  beforeAll(() => proxy.cut())
  afterAll(() => proxy.restore())

  it('is logged without the properties of the connection', async () => {
    const entry = () => captured.lines().find(({ msg }) => msg === 'an idle database connection was lost')
    const { error } = await eventually(entry)
    expect(error).toMatchObject({ message: expect.any(String), stack: expect.any(String) })
    expect(error).not.toHaveProperty('client')
  })

  // Sign-ins reach the database only with a response of a browser, a provider or an authenticator.
  const reaching = operations.filter(({ id, keyless }) => !keyless || id === 'agentCode_redeem')
  it.each(reaching.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'makes %s 503',
    async (_title, { method, path, body }) => {
      const target = path.replace(/\{\w+\}/g, 'any')
      const answer = await h.as(ada).send(method, target, body && ANY_BODY, {
        headers: { 'x-request-id': 'find-me' },
      })
      expect(answer.expect(503)).toEqual({
        detail: 'The database is unavailable; try again shortly',
        request_id: 'find-me',
      })
      expect(answer.headers.get('retry-after')).toBe('1')
    },
  )

  it('makes /ready return 503, but not /health', async () => {
    await h.get('/ready').expect(503)
    expect(await h.get('/health').expect(200)).toEqual({ status: 'ok' })
  })

  it('does not affect the answers to a missing key and an unknown path', async () => {
    await h.get('/api/actors/me').expect(401, 'Authentication required')
    await h.get('/nothing').expect(404, 'Path not found: see /docs')
  })
})

describe('a database that does not respond', () => {
  beforeAll(() => proxy.block())
  afterAll(() => proxy.restore())

  it('makes requests return 503 instead of hanging', async () => {
    await h.as(ada).get('/api/actors/me').expect(503)
  })
})

it('the server recovers when the database is back', async () => {
  await vi.waitFor(() => h.as(ada).get('/api/actors/me').expect(200), { timeout: 60_000, interval: 50 })
  await h.get('/ready').expect(200)
})
