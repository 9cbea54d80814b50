import { createHash } from 'node:crypto'
import { type Actor, type Answer, IMPATIENT, query, useDatabase } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabaseProxy } from './support/database-proxy.js'
import { operations } from './support/document.js'
import { capturingLog } from './support/log.js'
import { RawClient } from './support/raw.js'
import { useServer } from './support/server.js'
import { foundTenant } from './support/tenant.js'
import { openWorld } from './support/world.js'

const captured = capturingLog()
const database = useDatabase()
const proxy = useDatabaseProxy(database)
const h = useServer({ LOG_LEVEL: 'trace', ...IMPATIENT }, proxy, captured.log)

/** Every issued credential by its kind, and the answers to requests that carried it. */
const keys: string[] = []
const tokens: string[] = []
const codes: string[] = []
let issued: string[]
const answers: Answer[] = []

beforeAll(liveALittle)

/** Issues credentials in every way, and uses them in requests that succeed, fail, and fail in the database. */
async function liveALittle(): Promise<void> {
  const ada = await h.registerHuman('Ada the registered')
  const agent = await h.registerAgent(ada)
  const rotatedOnce = await h.as(agent).post(`/api/actors/${agent.actor_id}/rotate-key`).expect(200)
  const connected = { installation_id: 'laptop' }
  await h.as(rotatedOnce).post(`/api/actors/${agent.actor_id}/connect`, connected).expect(200)
  const headers = { 'x-force-rotate': 'true' }
  const rotate = `/api/actors/${agent.actor_id}/rotate-key`
  const rotatedByForce = await h.as(ada).post(rotate, undefined, { headers }).expect(200)
  const deleted = await h.registerHuman()
  await h.as(deleted).delete(`/api/actors/${deleted.actor_id}`).expect(200)
  for (const { api_key } of [ada, agent, rotatedOnce, rotatedByForce, deleted]) keys.push(api_key)

  const tenant = await foundTenant(database.connection)
  for (const operation of operations) {
    const { world } = await openWorld(h, database.connection, tenant)
    await world.perform(operation).expect(200)
  }

  const { actor: admin } = await openWorld(h, database.connection, tenant)
  await issueTokens(admin)
  await issueCodes(admin)
  issued = [...keys, ...tokens, ...codes]

  await use('well and badly')
  await query(database.connection, 'ALTER TABLE spaces RENAME TO lost')
  await use('without a table')
  await query(database.connection, 'ALTER TABLE lost RENAME TO spaces')
  await query(database.connection, 'ALTER TABLE api_keys RENAME TO lost')
  await use('without the keys')
  await query(database.connection, 'ALTER TABLE lost RENAME TO api_keys')
  await proxy.cut()
  await use('without a database')
  await proxy.restore()
}

/** Issues a token that stays valid, and one that is revoked after use. */
async function issueTokens(actor: Actor): Promise<void> {
  for (const name of ['kept', 'revoked']) {
    const { token, pat_id } = await h.as(actor).post('/api/personal-access-tokens', { name }).expect(200)
    tokens.push(token)
    await h.as(token).get('/api/actors/me').expect(200)
    if (name === 'revoked') await h.as(actor).delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
  }
}

/** Issues an unused invite, one to redeem, one to register with, and one that is revoked. */
async function issueCodes(admin: Actor): Promise<void> {
  const invite = async (): Promise<{ code: string; invite_id: string }> => {
    const made = await h.as(admin).post('/api/invites', {}).expect(200)
    codes.push(made.code)
    return made
  }
  await invite()
  const newcomer = await h.registerHuman()
  await h
    .as(newcomer)
    .post('/api/invites/redeem', { code: (await invite()).code })
    .expect(200)
  const { code } = await invite()
  await h.post('/api/actors', { display_name: 'Grace', email: 'grace@example.org', code }).expect(200)
  await h
    .as(admin)
    .delete(`/api/invites/${(await invite()).invite_id}`)
    .expect(200)
}

/** Sends malformed requests with a credential in the query: their errors once contained the URL. */
async function useOddly(key: string): Promise<void> {
  const raw = new RawClient(h)
  for (const [method, host] of [
    ['TRACE', 'localhost'],
    ['GET', 'a:b@c'],
    ['GET', '999.1.1.1'],
    ['GET', 'evil.example'],
  ] as const) {
    for (const path of ['/trpc/space.list', '/api/spaces', `http://${host}/trpc/space.list`]) {
      const head = `${method} ${path}?token=${key} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
      expect(await raw.exchange(head)).toMatch(/^HTTP\/1\.1 4/)
    }
  }
}

/** Sends each credential in each valid place and in each likely wrong one. */
async function use(description: string): Promise<void> {
  const [caller] = keys
  for (const key of issued) {
    const body = { space_id: '!', description }
    await useOddly(key)
    answers.push(
      await h.as(caller).post('/api/invites/redeem', { code: `${key} ` }),
      await h.as(caller).post('/api/invites/redeem', { code: key }),
      await h.as(caller).get(`/api/search?q=${key}`),
      await h.as(caller).delete(`/api/personal-access-tokens/${key}`),
      ...(await Promise.all(
        encodedForms(key).map((path) => h.as(caller).delete(`/api/personal-access-tokens/${path}`)),
      )),
      await h.as(caller).get(`/api/spaces/%E0%A4%A/${key.replace('_', '%5F')}`),
      await h.send('PUT', `/trpc/space.list?token=${key}`),
      await h.post(`/mcp?token=${key}`, body),
      await h.as(key).post('/mcp', body),
      await h.as(key).get('/api/spaces'),
      await h.get(`/api/spaces?token=${key}`),
      await h.get(`/api/spaces?token=${encodeURIComponent(`Bearer ${key}`)}`),
      await h.get(`/api/spaces?token=${key}&token=${key}`),
      await h.get(`/api/spaces/nowhere/status?token=${key}`),
      await h.get(`/api/spaces/nowhere/events/stream?token=${key}`),
      await h.get(`/api/nothing?token=${key}`),
      await h.send('PUT', `/api/spaces?token=${key}`),
      await h.send('HEAD', `/api/spaces?token=${key}`),
      await h.post(`/api/spaces?token=${key}`, body),
      await h.post(`/api/spaces?token=${key}`, `{"half`),
      await h.get(`/trpc/space.list?token=${key}`),
      await h.get(`/trpc/nothing?token=${key}`),
      await h.get(`/health?token=${key}`),
      await h.get(`/docs?token=${key}`),
      await h.send('OPTIONS', `/api/spaces?token=${key}`),
      await h.get('/api/spaces', { headers: { authorization: `Basic ${key}` } }),
      await h.get('/api/spaces', { headers: { 'x-api-key': key, cookie: `key=${key}` } }),
      await h.get('/health', { headers: { referer: `https://app.example.org/?token=${key}` } }),
    )
  }
}

/** Returns a credential with one character percent-encoded, with all, and with one encoded twice. */
const encodedForms = (key: string) => [
  key.replace('_', '%5F'),
  key.replace('c', '%63'),
  Buffer.from(key).toString('hex').replace(/../g, '%$&'),
  key.replace('_', '%255f'),
]

/** Returns the forms in which a credential could be stored: its text, its bytes, its secret half. */
function formsOf(credential: string): string[] {
  const bytes = Buffer.from(credential)
  const secret = credential.replace(/^(svc_pat_|svc_|inv_code_)/, '')
  return [credential, secret, bytes.toString('hex'), bytes.toString('base64url'), Buffer.from(secret).toString('hex')]
}

const formsFoundIn = (text: string) => issued.flatMap(formsOf).filter((form) => text.includes(form))

it('every kind of credential was issued and used', () => {
  expect([keys, tokens, codes].map(({ length }) => length)).toEqual([5, 2, 4])
  expect(new Set(issued).size).toBe(11)
  for (const key of keys) expect(key).toMatch(/^svc_[0-9a-f]{64}$/)
  for (const token of tokens) expect(token).toMatch(/^svc_pat_[0-9a-f]{60}$/)
  for (const code of codes) expect(code).toMatch(/^inv_code_[0-9a-f]{64}$/)
  const statuses = new Set(answers.map(({ status }) => status))
  for (const status of [200, 204, 400, 401, 404, 405, 500, 503]) expect(statuses).toContain(status)
})

describe('the database', () => {
  let dump: string

  beforeAll(async () => {
    dump = await dumpOf()
  })

  it('was searched completely', () => {
    expect(dump).toContain('Ada the registered')
    // The hash of a valid credential shows that bytes are searched, too.
    for (const [valid] of [keys, tokens, codes] as [string][]) {
      expect(dump).toContain(createHash('sha256').update(valid).digest('hex'))
    }
  })

  it('contains no credential', () => {
    expect(formsFoundIn(dump)).toEqual([])
  })

  it('contains no hash of a key that is no longer valid', () => {
    const [, rotated, rotatedAgain, , deleted] = keys as [string, string, string, string, string]
    for (const key of [rotated, rotatedAgain, deleted]) {
      expect(dump).not.toContain(createHash('sha256').update(key).digest('hex'))
    }
  })
})

describe('the log', () => {
  it('was captured completely', () => {
    const requests = captured.lines().filter(({ msg }) => msg === 'request' || msg === 'request failed')
    expect(requests.length).toBeGreaterThanOrEqual(answers.length)
    expect(captured.text()).toContain('"path":"/api/spaces/nowhere/status"')
    expect(captured.text()).toContain('relation \\"')
  })

  it('contains no credential', () => {
    expect(formsFoundIn(captured.text())).toEqual([])
  })

  it('contains nothing from a query string', () => {
    expect(captured.text()).not.toContain('token=')
  })
})

it('no answer repeats the credential of its request, in its body or its headers', () => {
  const text = answers.map((answer) => `${answer.text}\n${JSON.stringify([...answer.headers])}`).join('\n')
  expect(text).toContain('Authentication required')
  expect(formsFoundIn(text)).toEqual([])
})

/** Returns all rows of all tables in every schema as text, with bytes in hexadecimal. */
async function dumpOf(): Promise<string> {
  const tables = await query(
    database.connection,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  )
  const dumps: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await query(database.connection, `SELECT t::text AS row FROM ${name} t`)
    dumps.push(name, ...rows.map(({ row }) => row))
  }
  return dumps.join('\n')
}
