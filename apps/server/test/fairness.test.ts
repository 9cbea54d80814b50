import { once } from 'node:events'
import { operations as procedures } from '@collab-spaces/api'
import type { ConnectionOptions } from '@collab-spaces/db'
import {
  type Actor,
  type Answer,
  type Client,
  eventually,
  IMPATIENT,
  query,
  servingConnection,
  spaceIdOf,
} from '@collab-spaces/testing'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { operations } from './support/document.js'
import { RawClient } from './support/raw.js'
import { useServer } from './support/server.js'
import { startStack } from './support/stack.js'
import { StreamReader } from './support/stream.js'
import { ACCEPT, toolCall } from './support/tool-call.js'
import { type Request, World } from './support/world.js'

/** Slow work for one tenant or space, or on a broken connection, must not slow down others. */

const h = useServer()
const impatient = useServer(IMPATIENT, h)

interface Member {
  readonly ada: Actor
  readonly client: Client
  readonly path: string
}

/** Registers an actor with its own tenant and space. */
async function elsewhere(server: Client = h): Promise<Member> {
  const ada = await server.registerHuman()
  const client = server.as(ada)
  await client.post('/api/tenants', { name: 'Elsewhere' }).expect(200)
  return { ada, client, path: await client.openSpace(ada) }
}

/** Locks rows or tables until the test ends or the returned function is called. */
async function lock(statement: string, connection = h.connection): Promise<() => Promise<void>> {
  const locker = new pg.Client({ ...connection })
  await locker.connect()
  let isHeld = true
  const release = async () => {
    if (isHeld) await locker.end()
    isHeld = false
  }
  onTestFinished(release)
  await locker.query(`BEGIN; ${statement}`)
  return release
}

/** Sends the same request repeatedly, several at a time, and keeps the answers. */
function repeat(times: number, send: () => Promise<Answer>): { stop(): Promise<Answer[]> } {
  const answers: Answer[] = []
  let isOver = false
  const loops = Array.from({ length: times }, async () => {
    while (!isOver) answers.push(await send())
  })
  return {
    async stop() {
      isOver = true
      await Promise.all(loops)
      return answers
    },
  }
}

/**
 * Expects that requests are not rejected because of others. A busy machine may reject some; requests that are blocked
 * by others are nearly all rejected.
 */
function expectServed(answers: readonly Answer[]): void {
  const refused = answers.filter(({ status }) => status === 503)
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  expect(refused.length).toBeLessThan(answers.length / 2)
}

async function waitingStatements(connection: ConnectionOptions): Promise<number> {
  const { rows } = await query(
    connection,
    `SELECT count(*)::int AS count FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE NOT l.granted AND a.datname = current_database()`,
  )
  return rows[0].count
}

describe('writes', () => {
  it('continue in other spaces while one is locked', async () => {
    const { ada, path } = await h.adasSpace()
    const other = await elsewhere()
    const space = path.split('/').at(-1)
    const release = await lock(`SELECT FROM spaces WHERE space_id = '${space}' FOR UPDATE`)
    const stuck = repeat(8, () => h.as(ada).post(`${path}/speech`, { text: 'stuck' }))
    await eventually(async () => (await waitingStatements(h.connection)) > 0)
    const sayThere = toolCall('say', { space_id: other.path.split('/').at(-1), text: '!' })
    const answers: Answer[] = []
    for (let n = 0; n < 50; n++) {
      answers.push(
        ...(await Promise.all([1, 2, 3].map(() => other.client.post(`${other.path}/speech`, { text: '!' })))),
        await other.client.post('/mcp', sayThere, { headers: ACCEPT }),
      )
    }
    expect(await waitingStatements(h.connection)).toBeGreaterThan(0)
    expectServed(answers)

    await release()
    await eventually(async () => (await h.as(ada).post(`${path}/speech`, { text: 'free' })).status === 200)
    for (const answer of await stuck.stop()) expect([200, 503]).toContain(answer.status)
  })

  it('are rejected with 503 after the configured timeout for a lock', async () => {
    const { ada, path } = await h.adasSpace()
    const release = await lock(`SELECT FROM spaces WHERE space_id = '${path.split('/').at(-1)}' FOR UPDATE`)
    const patient = h.as(ada).post(`${path}/speech`, { text: 'patient' })
    await eventually(async () => (await waitingStatements(h.connection)) > 0)
    const unavailable = 'The database is unavailable; try again shortly'
    await impatient.as(ada).post(`${path}/speech`, { text: 'impatient' }).expect(503, unavailable)
    await release()
    await patient.expect(200)
  })

  it('wait for a short lock, and stay in order', async () => {
    const { ada, path } = await h.adasSpace()
    const release = await lock(`SELECT FROM spaces WHERE space_id = '${path.split('/').at(-1)}' FOR UPDATE`)
    const early = Array.from({ length: 5 }, (_, n) => h.as(ada).post(`${path}/speech`, { text: `early ${n}` }))
    await eventually(async () => (await waitingStatements(h.connection)) > 0)
    await release()
    const statuses = (await Promise.all(early)).map(({ status }) => status)
    // On a busy machine the lock may be held for longer.
    for (const status of statuses) expect([200, 503]).toContain(status)
    await h.as(ada).post(`${path}/speech`, { text: 'late' }).expect(200)
    const texts = (await h.as(ada).get(`${path}/events`).expect(200)).map(({ text }: { text: string }) => text)
    expect(texts.length).toBeGreaterThan(statuses.filter((status) => status === 200).length)
    expect(texts.at(-1)).toBe('late')
  })

  it('are answered when short, while long ones are being written', async () => {
    const { ada, path } = await h.adasSpace()
    const other = await elsewhere()
    const long = Array.from({ length: 60_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join(
      '',
    )
    const heavy = repeat(4, () => h.as(ada).post(`${path}/speech`, { text: long }))
    const short: Answer[] = []
    for (let n = 0; n < 20; n++) short.push(await other.client.post(`${other.path}/speech`, { text: 'short' }))
    expectServed(short)
    for (const answer of await heavy.stop()) expect([200, 503]).toContain(answer.status)
  })
})

describe('changes', () => {
  const wide = useServer({ DATABASE_POOL: '20' }, h)

  /** Expects that requests that wait for a lock do not block those of another tenant. */
  async function expectOthersTurn(locked: string, send: () => Promise<Answer>[]): Promise<void> {
    const other = await elsewhere()
    const release = await lock(locked)
    const waiting = send()
    const free = wide.as(other.ada)
    await eventually(async () => (await waitingStatements(h.connection)) > 1)
    for (let n = 0; n < 5; n++) {
      await free.patch(other.path, { description: 'free' }).expect(200)
      await free.post(`${other.path}/decisions`, { proposed_by: 'Bob', text: 'Go' }).expect(200)
      await free.get(`${other.path}/decisions`).expect(200)
      await free.get(`${other.path}/status`).expect(200)
      await wide.post('/api/actors', { display_name: 'Eve', email: 'eve@example.org' }).expect(200)
    }
    expect(await waitingStatements(h.connection)).toBeGreaterThan(0)
    await release()
    for (const { status } of await Promise.all(waiting)) expect([200, 400, 404, 409, 503]).toContain(status)
  }

  it('of a locked space do not block other tenants', async () => {
    const { ada, path } = await elsewhere()
    const client = wide.as(ada)
    await expectOthersTurn(`SELECT FROM spaces WHERE space_id = '${spaceIdOf(path)}' FOR UPDATE`, () =>
      Array.from({ length: 12 }, (_, n) =>
        n % 2 ? client.patch(path, { description: 'stuck' }) : client.post(`${path}/archive`),
      ),
    )
  })

  it('of webhooks do not block other tenants', async () => {
    const { ada, path } = await elsewhere()
    const client = wide.as(ada)
    const webhook = { url: 'http://127.0.0.1:9/', space_id: spaceIdOf(path) }
    const { webhook_id } = await client.post('/api/webhooks', webhook).expect(200)
    await expectOthersTurn(`SELECT FROM actors WHERE actor_id = '${ada.actor_id}' FOR UPDATE`, () =>
      Array.from({ length: 12 }, (_, n) =>
        n % 2 ? client.post('/api/webhooks', webhook) : client.patch(`/api/webhooks/${webhook_id}`, webhook),
      ),
    )
  })

  it.each([
    ['look-ups', 'LOCK TABLE incoming_webhooks IN ACCESS EXCLUSIVE MODE', { text: 'posted' }],
    ['records of malformed deliveries', 'SELECT FROM incoming_webhooks FOR UPDATE', { text: 7 }],
  ])('and %s of incoming webhooks do not block other tenants', async (_, locked, body) => {
    const { ada, path } = await elsewhere()
    const made = await wide.as(ada).post(`${path}/incoming-webhooks`, { name: 'CI', format: 'json' }).expect(200)
    const headers = { authorization: `Bearer ${made.secret}` }
    const deliver = () => wide.post(`/hooks/${made.incoming_webhook_id}`, body, { headers })
    await expectOthersTurn(locked, () => Array.from({ length: 12 }, deliver))
  })
})

describe('reads of lists', () => {
  const wide = useServer({ DATABASE_POOL: '20' }, h)

  it('do not block other tenants when they are slow', async () => {
    const [stuck, other] = [await elsewhere(), await elsewhere()]
    const free = wide.as(other.ada)
    // Every list of links waits for this lock.
    const release = await lock('LOCK TABLE links IN ACCESS EXCLUSIVE MODE')
    const waiting = Array.from({ length: 12 }, () => wide.as(stuck.ada).get(`${stuck.path}/links`))
    await eventually(async () => (await waitingStatements(h.connection)) > 1)
    for (let n = 0; n < 5; n++) {
      await free.get('/api/spaces').expect(200)
      await free.get(`${other.path}/decisions`).expect(200)
      await free.get(`${other.path}/status`).expect(200)
      await free.patch(other.path, { description: 'free' }).expect(200)
    }
    expect(await waitingStatements(h.connection)).toBeGreaterThan(0)
    await release()
    for (const { status } of await Promise.all(waiting)) expect([200, 503]).toContain(status)
  })
})

describe('the background work of a server', () => {
  const own = useServer({ DATABASE_POOL: '20' })
  /** All but one of the connections for single rows. */
  const MAX_PER_TENANT = 4

  it.each([
    ['due reviews', 'decisions', ({ path }: Member) => `${path}/decisions`],
    ['missed events of streams', 'spaces', () => '/api/spaces'],
  ])('does not block requests while it waits for a lock: %s', async (_, table, listOf) => {
    const [stuck, other] = [await elsewhere(own), await elsewhere(own)]
    const reader = await StreamReader.open(stuck.client, stuck.path)
    onTestFinished(() => reader.close())
    const release = await lock(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`, own.connection)
    const waiting = Array.from({ length: 12 }, () => stuck.client.get(listOf(stuck)))
    await eventually(async () => (await waitingStatements(own.connection)) > MAX_PER_TENANT)
    await other.client.get('/api/personal-access-tokens').expect(200)
    await other.client.post('/api/personal-access-tokens', { name: 'free' }).expect(200)
    expect(await waitingStatements(own.connection)).toBeGreaterThan(MAX_PER_TENANT)
    await release()
    for (const { status } of await Promise.all(waiting)) expect([200, 503]).toContain(status)
  })
})

describe('long reads that begin with single rows', () => {
  const wide = useServer({ DATABASE_POOL: '20' }, h)
  const WAITING = 8

  /** Expects that requests that wait for locked tables do not block another tenant. */
  async function expectOthersTurn(tables: string, { client }: Member, request: Request): Promise<void> {
    const other = wide.as((await elsewhere()).ada)
    const send = () => client.send(request.method, request.path, request.body)
    expect((await send()).status, request.path).toBe(200)
    const release = await lock(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`)
    const sent: Promise<Answer>[] = []
    let answered = 0
    for (let n = 0; n < WAITING; n++) {
      const answer = send()
      sent.push(answer)
      void answer.then(() => answered++)
      await other.get('/health').expect(200)
    }
    await eventually(async () => answered === WAITING || (await waitingStatements(h.connection)) > 0)
    const needsTables = answered < WAITING
    for (let n = 0; n < 3; n++) await other.get('/api/personal-access-tokens').expect(200)
    if (needsTables) expect(await waitingStatements(h.connection)).toBeGreaterThan(0)
    await release()
    for (const { status } of await Promise.all(sent)) expect([200, 503]).toContain(status)
  }

  async function memberOfWide(): Promise<Member> {
    const { ada, path } = await elsewhere()
    return { ada, client: wide.as(ada), path }
  }

  /** Without streams, which do not end. */
  const longReads = procedures.flatMap(({ name, meta: { openapi, cost }, output }) => {
    const isLong = openapi.method === 'GET' && cost !== 'row' && output !== undefined
    return isLong ? operations.filter(({ id }) => id === name.replace('.', '_')) : []
  })

  it.each(
    longReads.flatMap((operation) =>
      // The table that is read first, and those that may be read next.
      ['spaces', 'events, threads, decisions, participants, links, summaries'].map(
        (tables) => [operation.id, tables, operation] as const,
      ),
    ),
  )('do not block other tenants when they are slow: %s, %s', async (_, tables, operation) => {
    const stuck = await memberOfWide()
    const ids = { space_id: spaceIdOf(stuck.path), participant_id: stuck.ada.actor_id }
    await expectOthersTurn(tables, stuck, await new World(stuck.client, ids).request(operation))
  })

  it('do not block other tenants when they look up the mentions of a text', async () => {
    const stuck = await memberOfWide()
    const body = { text: '@Eve', mentions_from_text: true }
    await expectOthersTurn('participants', stuck, { method: 'POST', path: `${stuck.path}/speech`, body })
  })
})

describe('large bodies', () => {
  it('leave memory for other tenants while they wait for an answer, and free it afterwards', async () => {
    const [stuck, other] = [await elsewhere(), await elsewhere()]
    const release = await lock(`SELECT FROM spaces WHERE space_id = '${spaceIdOf(stuck.path)}' FOR UPDATE`)
    const text = 'x'.repeat(100_000)
    const events = Array.from({ length: 39 }, () => ({ text, speaker_id: 'x', speaker_name: 'X' }))
    const sent: Promise<Answer>[] = []
    const refused: Answer[] = []
    // Six batches of 3.9 MB fit into 24 MiB, seven do not.
    for (let n = 0; n < 8; n++) {
      const answer = stuck.client.post(`${stuck.path}/events/batch`, { events })
      sent.push(answer)
      void answer.then((one) => one.status === 503 && refused.push(one))
    }
    await eventually(() => refused.length === 2)
    expect(refused.map(({ body }) => body.detail)).toEqual(
      Array(2).fill(expect.stringMatching(/^Too much is being sent/)),
    )
    await other.client.post(`${other.path}/speech`, { text }).expect(200)
    await release()
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 200, 503, 503])
    await stuck.client.post(`${stuck.path}/events/batch`, { events }).expect(200)
  })

  it('count towards one memory limit, whether they wait for an answer or are being sent', async () => {
    const stack = await startStack(h.connection)
    const raw = new RawClient(stack)
    const [full, ...tenants] = [await elsewhere(), await elsewhere(), await elsewhere()]
    const spaces = tenants.map(({ path }) => `'${spaceIdOf(path)}'`)
    const release = await lock(`SELECT FROM spaces WHERE space_id IN (${spaces.join()}) FOR UPDATE`)
    const events = Array(39).fill({ text: 'x'.repeat(100_000), speaker_id: 'x', speaker_name: 'X' })
    const batch = JSON.stringify({ events })
    const send = ({ ada, path }: Member, body: string) =>
      raw.open(
        `POST ${path}/events/batch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.api_key}\r\n` +
          `Content-Length: ${batch.length}\r\n\r\n${body}`,
      )
    const waiting = tenants.flatMap((tenant) => Array.from({ length: 6 }, () => send(tenant, batch)))
    const haveCome = () => stack.sockets.filter(({ bytesRead }) => bytesRead > batch.length).length
    await eventually(() => haveCome() === waiting.length)
    // Of 64 MiB, at most five more fit. If the waiting ones were not counted, sixteen would.
    const unfinished = Array.from({ length: 6 }, () => send(full, batch.slice(0, -1)))
    const [bytes] = await Promise.race(unfinished.map((socket) => once(socket, 'data')))
    expect(String(bytes)).toMatch(/^HTTP\/1.1 503 /)
    expect(String(bytes)).toContain('Too much is being sent')
    await release()
    for (const socket of waiting) expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200 /)
    for (const socket of [...waiting, ...unfinished]) socket.destroy()
  })
})

describe('slow reads', () => {
  it('block neither other kinds of requests nor other tenants', async () => {
    const { ada, path } = await h.adasSpace()
    const other = await elsewhere()
    // Every context waits for this lock.
    const release = await lock('LOCK TABLE decisions IN ACCESS EXCLUSIVE MODE')
    const contexts = Array.from({ length: 40 }, () => h.as(ada).get(`${path}/context`))
    await eventually(async () => (await waitingStatements(h.connection)) > 0)
    const search = `/api/search?q=needle&space_id=${other.path.split('/').at(-1)}`
    const work = [
      () => other.client.get(`${other.path}/events`),
      () => other.client.post(`${other.path}/speech`, { text: 'a needle' }),
      () => other.client.get(search),
      () => other.client.get('/ready'),
    ]
    for (const ask of work) {
      const answers: Answer[] = []
      for (let n = 0; n < 20; n++) answers.push(await ask())
      expectServed(answers)
    }
    await release()
    for (const answer of await Promise.all(contexts)) expect([200, 503]).toContain(answer.status)
    await h.as(ada).get(`${path}/context`).expect(200)
  })
})

describe('database connections that stop responding', () => {
  const h = useServer(IMPATIENT)

  it('are closed: their requests get 503, and the next ones use new connections', async () => {
    const { ada, path } = await h.adasSpace()
    const client = h.as(ada)
    const work = () => [
      client.get(`${path}/events`),
      client.post(`${path}/speech`, { text: '!' }),
      client.get(`${path}/status`),
      client.get(`${path}/decisions`),
      client.get('/ready'),
    ]
    await Promise.all(Array.from({ length: 4 }, work).flat())
    const { rows } = await query(
      servingConnection(h.connection),
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'collaboration-spaces' AND query NOT LIKE 'LISTEN%'`,
    )
    const frozen: number[] = rows.map(({ pid }: { pid: number }) => pid)
    expect(frozen.length).toBeGreaterThan(2)
    const signal = (name: NodeJS.Signals) => {
      for (const pid of frozen) process.kill(pid, name)
    }
    onTestFinished(() => signal('SIGCONT'))
    signal('SIGSTOP')

    for (const answer of await Promise.all(work())) {
      if (answer.status !== 200) answer.expect(503)
    }
    await eventually(async () => (await Promise.all(work())).every(({ status }) => status === 200))
  })
})
