import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ConnectionOptions } from '@collab-spaces/db'
import {
  type Actor,
  type Answer,
  bearer,
  Client,
  describeWith,
  eventually,
  freshDatabase,
  IMPATIENT,
  Program,
  postmasterOf,
  query,
  servingConnection,
  spaceIdOf,
  startProgram,
  urlOf,
} from '@collab-spaces/testing'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectionTo, dataDirectory } from './support/data-directory.js'
import { hold } from './support/held-request.js'
import { fillSpace } from './support/history.js'
import { startServer } from './support/server.js'
import { startStack } from './support/stack.js'
import { StreamReader } from './support/stream.js'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

const WRITERS = ['ada', 'bob', 'eve', 'joe']

/** Writers that continue through failures, and record the result of each write. */
class Load {
  readonly acknowledged: string[] = []
  readonly refused: Answer[] = []
  broken = 0
  #stop = false
  readonly #writers: Promise<void>[]

  constructor(
    readonly client: () => Client,
    readonly space: string,
    /** The first number of each writer: several loads may write to one space. */
    private readonly from = 0,
  ) {
    this.#writers = WRITERS.map((writer) => this.#write(writer))
  }

  async #write(writer: string): Promise<void> {
    for (let n = this.from; !this.#stop; n++) {
      const text = `${writer}/${n}`
      const answer = await this.client()
        .post(`${this.space}/speech`, { text })
        .catch(() => null)
      if (answer?.status === 200) this.acknowledged.push(text)
      else if (answer) this.refused.push(answer)
      else this.broken++
      // After a refusal, retries with a delay.
      if (answer?.status !== 200) await delay(5)
    }
  }

  /** Resolves when so many more writes are acknowledged. */
  async more(count: number): Promise<void> {
    const wanted = this.acknowledged.length + count
    await eventually(() => this.acknowledged.length >= wanted)
  }

  async stop(): Promise<void> {
    this.#stop = true
    await Promise.all(this.#writers)
  }
}

/** Expects every acknowledged event, no duplicates, and each writer's events in order. */
async function expectNothingLost(client: Client, space: string, acknowledged: readonly string[]): Promise<void> {
  const transcript: { text: string; event_id: string }[] = await client.get(`${space}/transcript`).expect(200)
  const texts = transcript.map(({ text }) => text)
  expect(new Set(texts).size).toBe(texts.length)
  expect(new Set(transcript.map(({ event_id }) => event_id)).size).toBe(texts.length)
  expect(acknowledged.filter((text) => !texts.includes(text))).toEqual([])
  for (const writer of WRITERS) {
    const numbers = texts.filter((text) => text.startsWith(`${writer}/`)).map((text) => Number(text.split('/')[1]))
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  }
  expect((await client.get(`${space}/status`).expect(200)).event_count).toBe(texts.length)
}

async function adaAt(url: string): Promise<{ ada: Actor; space: string; client: Client }> {
  const { ada, client, path } = await new Client(url).adasSpace()
  return { ada, client, space: path }
}

/** Returns a fresh database and its URL for a setting. */
async function ownDatabase(): Promise<{ connection: ConnectionOptions; url: string }> {
  const connection = await freshDatabase()
  return { connection, url: urlOf(connection) }
}

describe('a server that is killed during writes', () => {
  it('restarts with every event that it acknowledged', async () => {
    const dataDir = await dataDirectory()
    let client = new Client('http://127.0.0.1:1')
    let server = startProgram({ DATA_DIR: dataDir })
    const { ada, space } = await adaAt(await server.url())
    const acknowledged: string[] = []
    for (let round = 0; round < 3; round++) {
      client = new Client(await server.url(), ada.api_key)
      const load = new Load(() => client, space, round * 1_000_000)
      await load.more(50)
      expect(await server.kill('SIGKILL')).toBe('SIGKILL')
      await load.stop()
      acknowledged.push(...load.acknowledged)
      server = startProgram({ DATA_DIR: dataDir })
      await expectNothingLost(new Client(await server.url(), ada.api_key), space, acknowledged)
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(150)
  })
})

describe('PostgreSQL that is killed under load', () => {
  it('is restarted, while writers get 503 and no acknowledged event is lost', async () => {
    const dataDir = await dataDirectory()
    const server = startProgram({ DATA_DIR: dataDir })
    const { client, space } = await adaAt(await server.url())
    const load = new Load(() => client, space)
    for (let round = 0; round < 2; round++) {
      await load.more(50)
      const postmaster = (await postmasterOf(dataDir)) as number
      const refused = load.refused.length
      process.kill(postmaster, 'SIGKILL')
      await eventually(() => load.refused.length > refused)
      await load.more(50)
      expect(await postmasterOf(dataDir)).not.toBe(postmaster)
    }
    await load.stop()
    expect(load.broken).toBe(0)
    for (const answer of load.refused) {
      answer.expect(503, 'The database is unavailable; try again shortly')
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    await expectNothingLost(client, space, load.acknowledged)
    expect(server.child.exitCode).toBeNull()
  })
})

describe('a second server on the same data', () => {
  it('exits with one line, while the first continues', async () => {
    const dataDir = await dataDirectory()
    const first = startProgram({ DATA_DIR: dataDir })
    const { client, space } = await adaAt(await first.url())
    const second = startProgram({ DATA_DIR: dataDir })
    expect(await second.end()).toBe(1)
    expect(second.complaints).toEqual([
      `Cannot start: Another server is using ${dataDir}: stop it first, or set DATA_DIR to another directory`,
    ])
    await client.post(`${space}/speech`, { text: 'still here' }).expect(200)
  })
})

describe('a server that gets a signal', () => {
  it('finishes requests in flight, ends its streams and stops PostgreSQL at SIGTERM', async () => {
    const dataDir = await dataDirectory()
    const server = startProgram({ DATA_DIR: dataDir })
    const { ada, client, space } = await adaAt(await server.url())
    const load = new Load(() => client, space)
    const reader = await StreamReader.open(client, space)
    await load.more(20)

    const inFlight = await hold(client, `${space}/speech`, { text: 'in flight' })
    await load.more(20)
    server.child.kill('SIGTERM')
    await reader.ended
    expect((await inFlight.finish()).status).toBe(200)
    expect(await server.end()).toBe(0)
    await load.stop()
    expect(await postmasterOf(dataDir)).toBeUndefined()
    // A write was stored or got 503; none failed otherwise.
    for (const answer of load.refused) answer.expect(503)

    const again = startProgram({ DATA_DIR: dataDir })
    await expectNothingLost(new Client(await again.url(), ada.api_key), space, [...load.acknowledged, 'in flight'])
    await again.kill('SIGTERM')
  })

  it('stops at Ctrl-C, which reaches its whole process group and may come twice', async () => {
    const dataDir = await dataDirectory()
    const server = startProgram({ DATA_DIR: dataDir })
    await server.url()
    process.kill(-server.pid, 'SIGINT')
    process.kill(-server.pid, 'SIGTERM')
    expect(await server.end()).toBe(0)
    expect(await postmasterOf(dataDir)).toBeUndefined()
    expect(server.complaints).toEqual([])
  })

  it('stops at SIGHUP', async () => {
    const dataDir = await dataDirectory()
    const server = startProgram({ DATA_DIR: dataDir })
    await server.url()
    expect(await server.kill('SIGHUP')).toBe(0)
    expect(await postmasterOf(dataDir)).toBeUndefined()
  })

  it('stops PostgreSQL too when it is still starting', async () => {
    const dataDir = await dataDirectory()
    const server = startProgram({ DATA_DIR: dataDir })
    await eventually(async () => (await postmasterOf(dataDir)) !== undefined)
    expect(await server.kill('SIGINT')).toBe(0)
    expect(await postmasterOf(dataDir)).toBeUndefined()
    expect(server.stdout).toBe('')
  })
})

describe('a log that cannot be written', () => {
  it.each(['json', 'text'])('does not end the server when its reader is gone: %s', async (LOG_FORMAT) => {
    const dataDir = await dataDirectory()
    const server = startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'debug', LOG_FORMAT })
    const { client, space } = await adaAt(await server.url())
    for (const output of [server.child.stdout, server.child.stderr]) output?.destroy()
    for (let n = 0; n < 100; n++) await client.post(`${space}/speech`, { text: `${n}` }).expect(200)
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(await postmasterOf(dataDir)).toBeUndefined()
  })

  it.each(['json', 'text'])('does not end the server when its disk is full: %s', async (LOG_FORMAT) => {
    const dataDir = await dataDirectory()
    const full = await open('/dev/full', 'w')
    const server = new Program({ DATA_DIR: dataDir, LOG_LEVEL: 'debug', LOG_FORMAT }, [], { log: full.fd })
    onTestFinished(async () => {
      await server.kill('SIGKILL')
      await full.close()
    })
    const { client, space } = await adaAt(await server.url())
    for (let n = 0; n < 100; n++) await client.post(`${space}/speech`, { text: `${n}` }).expect(200)
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(await postmasterOf(dataDir)).toBeUndefined()
  })

  describeWith(['script'], 'when its terminal is closed', () => {
    it.each(['json', 'text'])('ends the server and PostgreSQL: %s', async (LOG_FORMAT) => {
      const dataDir = await dataDirectory()
      const command = `echo "pid $$"; exec '${process.execPath}' '${MAIN}'`
      const terminal = spawn('script', ['-qec', command, '/dev/null'], {
        cwd: tmpdir(),
        // biome-ignore lint/style/noProcessEnv: where programs are found
        env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, LOG_FORMAT, LOG_LEVEL: 'debug' },
      })
      let output = ''
      terminal.stdout.on('data', (chunk) => {
        output += chunk
      })
      const ready = await eventually(() => /pid (\d+).*is ready at/s.exec(output))
      terminal.kill('SIGKILL')
      await eventually(async () => (await postmasterOf(dataDir)) === undefined).catch((error: unknown) => {
        process.kill(Number(ready[1]), 'SIGKILL')
        throw error
      })
    })
  })
})

describe('a stop while PostgreSQL hangs', () => {
  it.each([
    ['the connection that holds the lock on the data', "SELECT pid FROM pg_locks WHERE locktype = 'advisory'"],
    [
      'every connection',
      `SELECT pid FROM pg_stat_activity WHERE application_name IN ('owner', 'collaboration-spaces')`,
    ],
  ])('ends the server although %s is frozen', async (_, frozenPids) => {
    const dataDir = await dataDirectory()
    const server = startProgram({ DATA_DIR: dataDir, ...IMPATIENT })
    const { ada, client, space } = await adaAt(await server.url())
    await client.post(`${space}/speech`, { text: 'kept' }).expect(200)
    const { rows } = await query(await connectionTo(dataDir), frozenPids)
    expect(rows.length).toBeGreaterThan(0)
    for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
    expect(await server.kill('SIGTERM')).toBe(0)

    const again = startProgram({ DATA_DIR: dataDir })
    const after = new Client(await again.url(), ada.api_key)
    expect(await after.get(`${space}/events`).expect(200)).toHaveLength(1)
    expect(await again.kill('SIGTERM')).toBe(0)
  })
})

describe('a stop while the server is starting', () => {
  it('does not wait for a migration by another instance', async () => {
    const { connection, url } = await ownDatabase()
    await query(
      connection,
      'DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)',
    )
    const migrating = new pg.Client({ ...connection })
    await migrating.connect()
    onTestFinished(() => migrating.end())
    await migrating.query('SELECT pg_advisory_lock(72707369)')
    const server = startProgram({ DATABASE_URL: url, LOG_LEVEL: 'info' })
    await eventually(() => server.stderr.includes('Waiting for another instance'))
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(server.stdout).toBe('')
  })
})

describe('the output of the server', () => {
  it('has its address last, after the warnings', async () => {
    const { url } = await ownDatabase()
    const environment = { DATABASE_URL: url, LOG_LEVEL: 'info', LOG_FORMAT: 'text', REGISTRATON: 'closed' }
    const server = startProgram(environment)
    await server.url()
    expect(server.complaints).toEqual([
      expect.stringMatching(/^\[\d\d:\d\d:\d\d\] WARN: REGISTRATON is not a setting; did you mean REGISTRATION\?$/),
      expect.stringMatching(
        /^\[\d\d:\d\d:\d\d\] WARN: SERVER_KEY is not set, so webhooks, .* and OAuth are off; to change that, set /,
      ),
    ])
    expect(server.stdout).toMatch(
      /^Collaboration Spaces is ready at http:\S+ \(data: \S+\)\. Next: open http:\/\/localhost:\d+\n$/,
    )
  })

  it('has the version with --version, and the usage with --help', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    const versioned = startProgram({}, ['--version'])
    expect([await versioned.end(), versioned.stdout]).toEqual([0, `${version}\n`])
    const direct = startProgram({}, ['--help'])
    expect([await direct.end(), direct.stdout]).toEqual([0, expect.stringMatching(/^Usage: spaces-server /)])
    const script = startProgram({ npm_lifecycle_event: 'operate' }, ['--help'])
    expect([await script.end(), script.stdout]).toEqual([0, expect.stringMatching(/^Usage: npx -y pnpm@12 operate /)])
  })
})

describe('a server that cannot start', () => {
  /** Returns the only line on standard error of a server that exits with 1. */
  async function complaint(environment: Record<string, string>): Promise<string> {
    const server = startProgram(environment)
    expect(await server.end()).toBe(1)
    expect(server.stdout).toBe('')
    expect(server.complaints).toHaveLength(1)
    return server.complaints[0] as string
  }

  it('prints a line for every invalid setting', async () => {
    const server = startProgram({ PORT: 'eighty', REGISTRATION: 'maybe', DATABASE_URL: 'mysql://localhost' })
    expect(await server.end()).toBe(78)
    expect(server.complaints).toEqual([
      'Setting PORT must be a port number',
      'Setting DATABASE_URL must be a URL such as postgres://user:password@host:5432/database',
      'Setting REGISTRATION must be open or closed',
    ])
    expect(server.stdout).toBe('')
  })

  it('prints that its port is in use, before it creates any data', async () => {
    const dataDir = await dataDirectory()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      for (const name of ['PORT', 'METRICS_PORT']) {
        expect(await complaint({ DATA_DIR: dataDir, [name]: String(port) })).toBe(
          `Cannot start: Port ${port} is already in use: stop the other program, or set ${name} to another port`,
        )
      }
      expect(await readdir(dataDir).catch(() => [])).toEqual([])
    } finally {
      other.close()
    }
  })

  it('names a misspelled setting, which may be the cause', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      const server = startProgram({ DATA_DIR: await dataDirectory(), LOG_LEVEL: 'warn', PORT: String(port), PROT: '0' })
      expect(await server.end()).toBe(1)
      expect(server.complaints).toEqual([
        expect.stringContaining('PROT is not a setting; did you mean PORT?'),
        expect.stringMatching(/^Cannot start: Port \d+ is already in use/),
      ])
    } finally {
      other.close()
    }
  })

  it('prints that its host is invalid', async () => {
    const dataDir = await dataDirectory()
    const metrics = { DATA_DIR: dataDir, METRICS_PORT: '9464' }
    expect(await complaint({ ...metrics, METRICS_HOST: 'bogus.invalid' })).toBe(
      'Cannot start: METRICS_HOST bogus.invalid is neither an address nor a name of this machine: check METRICS_HOST',
    )
    expect(await complaint({ ...metrics, METRICS_HOST: '192.0.2.1' })).toBe(
      'Cannot start: This machine has no address 192.0.2.1: check METRICS_HOST',
    )
    expect(await complaint({ DATA_DIR: dataDir, HOST: 'bogus.invalid' })).toBe(
      'Cannot start: HOST bogus.invalid is neither an address nor a name of this machine: check HOST',
    )
  })

  it('prints that its database is unreachable, without the password', async () => {
    for (const host of ['127.0.0.1:1', 'localhost:1', 'nowhere.invalid']) {
      const line = await complaint({ DATABASE_URL: `postgres://ada:hunter2@${host}/spaces` })
      expect(line).toMatch(/^Cannot start: The database at \S+ cannot be used \(.+\): check DATABASE_URL$/)
      expect(line).toContain(host)
      expect(line).not.toContain('hunter2')
    }
  })

  it('prints the same when its database never responds', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    try {
      const line = await complaint({ DATABASE_URL: `postgres://ada:hunter2@127.0.0.1:${port}/spaces` })
      expect(line).toMatch(/^Cannot start: The database at 127\.0\.0\.1:\d+ cannot be used \(.+\): check DATABASE_URL$/)
    } finally {
      silent.close()
    }
  })

  it('prints that its database rejects the password', async () => {
    const { url } = await ownDatabase()
    const wrong = url.replace(/:[^:@/]+@/, ':wrong@')
    expect(await complaint({ DATABASE_URL: wrong })).toMatch(/password authentication failed/)
  })
})

describe('a history of 150 MB', () => {
  it.skipIf(process.platform !== 'linux')('is sent whole at constant memory', async () => {
    const { connection, url } = await ownDatabase()
    const server = startProgram({ DATABASE_URL: url })
    const { ada, client, space } = await adaAt(await server.url())
    const small = await client.openSpace(ada)
    const past = { text: (n: number) => `${n}`, metadata: { log: 'x'.repeat(5_000) } }
    await fillSpace(connection, small, ada, { ...past, count: 3_000 })
    await fillSpace(connection, space, ada, { ...past, count: 30_000 })
    const peak = async () => Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, 'utf8'))?.[1])

    await countEvents(client, small)
    const before = await peak()
    expect(await countEvents(client, space)).toBe(30_000)
    // About 100 kB are sent at a time; the rest is not yet collected.
    expect((await peak()) - before).toBeLessThan(100 * 1024)
    await server.kill('SIGTERM')
  })

  async function countEvents(client: Client, space: string): Promise<number> {
    const response = await fetch(`${client.url}${space}/transcript`, { headers: bearer(client.key) })
    expect(response.status).toBe(200)
    let count = 0
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('"event_id"')
      rest = parts.at(-1)?.slice(-'"event_id"'.length) ?? ''
      count += parts.length - 1
    }
    return count
  }
})

describe('the notification channel', () => {
  /** Starts an instance that is written to, and another one with a reader. */
  async function twoInstances() {
    const { connection } = await ownDatabase()
    const [writing, reading] = [await startStack(connection), await startStack(connection)]
    const { ada, client, space } = await adaAt(writing.url)
    const reader = await StreamReader.open(new Client(reading.url, ada.api_key), space)
    onTestFinished(() => reader.close())
    /** Posts an event, and waits until the reader of the other instance has it. */
    const across = async (text: string) => {
      await client.post(`${space}/speech`, { text }).expect(200)
      await reader.until(({ events }) => events.at(-1)?.text === text)
    }
    return { connection, ada, client, space, writing, reader, across }
  }

  /** Ends the listening connections of both instances. */
  async function cutChannels(connection: ConnectionOptions): Promise<void> {
    const { rowCount } = await query(
      servingConnection(connection),
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND (query = 'LISTEN collaboration_spaces' OR query LIKE '%clock_timestamp()%')`,
    )
    expect(rowCount).toBeGreaterThanOrEqual(2)
  }

  it('is replaced by polling the log while it is cut, and reconnects', async () => {
    const { connection, across, reader } = await twoInstances()
    const asServers = servingConnection(connection)
    await across('before')
    for (let round = 0; round < 3; round++) {
      await cutChannels(connection)
      await across(`cut ${round}`)
      await eventually(async () => {
        const { rows } = await query(
          asServers,
          `SELECT count(*)::int AS listeners FROM pg_stat_activity
           WHERE datname = current_database() AND query = 'LISTEN collaboration_spaces'`,
        )
        return rows[0].listeners >= 2
      })
    }
    await across('after')
    expect(reader.texts).toEqual(['before', 'cut 0', 'cut 1', 'cut 2', 'after'])
  })

  it('ends the stream of a reader whose last event was lost in a failover', async () => {
    const { connection, client, space, across, reader } = await twoInstances()
    await across('kept')
    await across('lost')
    // Simulates a standby without the last commit.
    await query(
      connection,
      `WITH lost AS (
         DELETE FROM events e USING spaces s
         WHERE s.space_id = $1 AND e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.position = s.head
         RETURNING s.tenant_id, s.space_id)
       UPDATE spaces SET head = head - 1 FROM lost
       WHERE spaces.tenant_id = lost.tenant_id AND spaces.space_id = lost.space_id`,
      [spaceIdOf(space)],
    )
    await cutChannels(connection)
    await reader.ended
    await client.post(`${space}/speech`, { text: 'next' }).expect(200)
    await client.get(`${space}/events/stream?since=${reader.cursor}`).expect(404, 'Event not found')
    const again = await StreamReader.open(client, space, { query: `?since=${reader.ids[0]}` })
    onTestFinished(() => again.close())
    expect((await again.read(1)).texts).toEqual(['next'])
  })

  it('is replaced by polling the log when it delivers nothing', async () => {
    const { ada, client, writing, across, reader } = await twoInstances()
    vi.spyOn(writing.services.database.bus, 'publish').mockImplementation(() => {})
    for (const text of ['1', '2', '3']) await across(text)
    expect(reader.texts).toEqual(['1', '2', '3'])
    await client.post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200)
    await reader.ended
  })
})

describe('an exhausted pool of connections', () => {
  it('makes requests return 503 instead of hanging, and recovers when connections are free', async () => {
    const { connection } = await ownDatabase()
    const server = await startServer(connection, { DATABASE_POOL: '5', ...IMPATIENT })
    const locker = new pg.Client({ ...connection })
    await locker.connect()
    try {
      const { client, space } = await adaAt(server.url)
      await locker.query('BEGIN; LOCK TABLE spaces IN ACCESS EXCLUSIVE MODE')
      // Both connections wait for the lock.
      const stuck = [client.get(`${space}/status`), client.get(`${space}/events`)]
      await eventually(async () => {
        const { rows } = await query(connection, 'SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted')
        return rows[0].waiting === 2
      })
      // All get an answer while the lock is held. Requests that need no locked row may find a connection.
      const others = [client.get('/api/actors/me'), client.get('/ready')]
      const answers = [client.post(`${space}/speech`, { text: 'x' }), client.get(`${space}/events/stream`)]
      for (const answer of await Promise.all([...stuck, ...answers])) {
        answer.expect(503, 'The database is unavailable; try again shortly')
        expect(answer.headers.get('retry-after')).toBe('1')
      }
      for (const { status } of await Promise.all(others)) expect([200, 503]).toContain(status)
      await client.get('/health').expect(200)
      await locker.query('ROLLBACK')
      await client.get(`${space}/status`).expect(200)
      await client.post(`${space}/speech`, { text: 'x' }).expect(200)
    } finally {
      await locker.end()
      await server.stop()
    }
  })
})

describe('more writes than the database can take', () => {
  /** Twenty statements of more than a second each, with seven of these texts in one. A slow machine sends faster. */
  const WRITES = 140
  const LENGTH = 20_000

  it('get 503 after a timeout: none of these is stored, and no other is lost', async () => {
    const { connection } = await ownDatabase()
    const server = await startServer(connection, IMPATIENT)
    try {
      const { client, space } = await adaAt(server.url)
      // A statement takes more than a second however many events it has, and a space runs one at a time.
      await query(
        connection,
        `CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1.1); RETURN NULL; END';
         CREATE TRIGGER be_slow AFTER INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION be_slow()`,
      )
      const texts = Array.from({ length: WRITES }, (_, n) => `write ${n} ${'x'.repeat(LENGTH)}`)
      const writes = Promise.all(texts.map((text) => client.post(`${space}/speech`, { text })))
      await client.get('/health').expect(200)
      const answers = await writes
      const taken = texts.filter((_, n) => answers[n]?.status === 200)
      expect(taken.length).toBeGreaterThan(0)
      expect(taken.length).toBeLessThan(WRITES)
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        answer.expect(503, 'The database is unavailable; try again shortly')
        expect(answer.headers.get('retry-after')).toBe('1')
      }

      await query(connection, 'DROP TRIGGER be_slow ON events')
      await client.post(`${space}/speech`, { text: 'afterwards' }).expect(200)
      const events: { text: string }[] = await client.get(`${space}/transcript`).expect(200)
      expect(events.map(({ text }) => text).sort()).toEqual([...taken, 'afterwards'].sort())
    } finally {
      await server.stop()
    }
  })
})
