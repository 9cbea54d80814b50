import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@collab-spaces/client'
import {
  type Actor,
  Client,
  describeWith,
  eventually,
  freePorts,
  spaceIdOf,
  startProgram,
  storedEvents,
  urlOf,
  useDatabase,
  useDirectory,
} from '@collab-spaces/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rawStream } from './raw-stream.js'

const START = fileURLToPath(new URL('../start.mjs', import.meta.url))

/** The number of events before the move, and the minimum written during it. */
const EVENTS = 3_000
const BATCH = 100
const MEANWHILE = 200

const WRITERS = 10
/** The number of readers of each kind: typed clients, and raw HTTP clients. */
const READERS = 25
/** This many of each kind read the whole history, the others only new events. */
const FROM_THE_BEGINNING = 3

const LAST = 'last'

/** The example, started as an operator does, and its output. */
class Example {
  output = ''
  readonly #process: ChildProcess

  constructor(environment: Record<string, string>) {
    this.#process = spawn(process.execPath, [START], {
      // biome-ignore lint/style/noProcessEnv: programs are found where the test run finds them, all else is given
      env: { PATH: process.env.PATH, LOG_LEVEL: 'fatal', DATABASE_POOL: '6', ...environment },
    })
    for (const output of [this.#process.stdout, this.#process.stderr]) {
      output?.on('data', (chunk) => {
        this.output += chunk
      })
    }
  }

  async says(line: string, within: number): Promise<void> {
    await eventually(() => this.output.includes(line) || this.#process.exitCode !== null, within)
    expect(this.output).toContain(line)
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await ended
  }
}

/** A write, as recorded by its writer. */
interface Write {
  readonly text: string
  readonly begun: number
  readonly acknowledged: number
  readonly eventId: string
}

/** Posts one event after another, each with an idempotency key, until it is stopped; records the outage. */
class Writer {
  readonly writes: Write[] = []
  readonly failures: unknown[] = []
  readonly moves: string[] = []
  readonly refusals = new Map<number, number>()
  /** The outage in milliseconds, from the first refusal to the next success. */
  refusedMs = 0
  #refusedSince: number | null = null
  #isOver = false
  readonly #work: Promise<void>

  constructor(
    readonly name: string,
    { url, token, space_id, mayMoveTo }: { url: string; token: string; space_id: string; mayMoveTo: string[] },
  ) {
    const client = createClient({
      url,
      token,
      mayMoveTo,
      onMoved: (location) => this.moves.push(location),
      onResponse: ({ status }) => this.#note(status),
    })
    this.#work = this.#run(async (text) => {
      const { event_id } = await client.event.speech.mutate({ space_id, text, idempotency_key: text })
      return event_id
    })
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#work
  }

  async #run(say: (text: string) => Promise<string>): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const text = `${this.name}/${n}`
      const begun = performance.now()
      try {
        const eventId = await say(text)
        this.writes.push({ text, begun, acknowledged: performance.now(), eventId })
      } catch (error) {
        this.failures.push(error)
        return
      }
    }
  }

  #note(status: number | null): void {
    const now = performance.now()
    if (status !== null && status < 300) {
      if (this.#refusedSince !== null) this.refusedMs += now - this.#refusedSince
      this.#refusedSince = null
    } else {
      this.refusals.set(status ?? 0, (this.refusals.get(status ?? 0) ?? 0) + 1)
      this.#refusedSince ??= now
    }
  }
}

describeWith(['haproxy'], 'two cells behind haproxy', () => {
  const databases = { a: useDatabase(), b: useDatabase() }
  const directory = useDirectory()
  let example: Example
  let cells: { a: string; b: string }

  beforeAll(async () => {
    const port = await freePorts(3)
    // Two loopback names that exist on every machine.
    const [A_HOST, B_HOST] = ['127.0.0.1', 'localhost']
    example = new Example({
      A_DATABASE_URL: urlOf(databases.a.connection),
      B_DATABASE_URL: urlOf(databases.b.connection),
      DATA_DIR: directory.path,
      PORT: String(port),
      A_HOST,
      B_HOST,
    })
    cells = { a: `http://${A_HOST}:${port}`, b: `http://${B_HOST}:${port}` }
    await example.says('Two installations are ready', 60_000)
  })

  afterAll(() => example?.stop())

  /** Registers an actor with a tenant at an installation, and opens a space with many events. */
  async function tenantWithEvents(client: Client) {
    const ada: Actor = await client.registerHuman()
    const { tenant_id } = await client.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    const path = await client.openSpace(ada)
    let since = ''
    for (let n = 0; n < EVENTS; n += BATCH) {
      const events = Array.from({ length: BATCH }, (_, index) => ({
        speaker_id: 'bot',
        speaker_name: 'Bot',
        text: `before ${n + index}`,
      }))
      const stored = await client.as(ada).post(`${path}/events/batch`, { events }).expect(200)
      since = stored.at(-1).event_id
    }
    return { ada, tenant_id, path, space_id: spaceIdOf(path), since }
  }

  it('lose, duplicate and reorder no event in a move under load, and every reader resumes', async () => {
    const a = new Client(cells.a)
    const { ada, tenant_id, path, space_id, since } = await tenantWithEvents(a)
    const access = { url: cells.a, token: ada.api_key, space_id, mayMoveTo: [cells.b] }
    const readers = Array.from({ length: READERS }, (_, index) => (index < FROM_THE_BEGINNING ? undefined : since))
    const reading = readers.flatMap((since) => [
      { since, seen: seenIn(createClient(access).stream(space_id, { since })) },
      { since, seen: seenIn(rawStream(access, since)) },
    ])
    const writers = Array.from({ length: WRITERS }, (_, n) => new Writer(`writer ${n}`, access))
    const written = () => writers.reduce((sum, { writes }) => sum + writes.length, 0)

    await eventually(() => written() > MEANWHILE)
    const [from, to] = await Promise.all(['a', 'b'].map((id) => readFile(join(directory.path, `${id}.url`), 'utf8')))
    const words = ['tenant', 'move', tenant_id, '--to-database', `${to}`, '--location', cells.b, '--json']
    const move = startProgram({ DATABASE_URL: `${from}` }, words)
    expect(`${await move.end()} ${move.child.exitCode === 0 ? '' : move.stderr}`).toBe('0 ')
    const atMove = written()
    await eventually(() => written() > atMove + MEANWHILE)
    await Promise.all(writers.map((writer) => writer.stop()))
    const b = new Client(cells.b)
    await b.as(ada).post(`${path}/speech`, { text: LAST }).expect(200)

    expect(writers.flatMap(({ failures }) => failures)).toEqual([])
    for (const { moves } of writers) expect(moves).toEqual([cells.b])
    const stored = await storedEvents(databases.b.connection, path)
    const ids = stored.map(({ event_id }) => event_id)
    for (const { since, seen } of reading) expect(await seen).toEqual(since ? ids.slice(ids.indexOf(since) + 1) : ids)

    // No acknowledged event is missing or changed, no event is unknown, none is stored twice.
    const writes = new Map(writers.flatMap((writer) => writer.writes.map((write) => [write.text, write] as const)))
    const own = stored.slice(EVENTS, -1)
    expect(own.map(({ text, event_id }) => [text, event_id]).sort()).toEqual(
      [...writes.values()].map(({ text, eventId }) => [text, eventId]).sort(),
    )
    expect(stored.slice(0, EVENTS).map(({ text }) => text)).toEqual(
      Array.from({ length: EVENTS }, (_, n) => `before ${n}`),
    )
    // A write that was acknowledged before another began is stored before it.
    let earliest = Number.POSITIVE_INFINITY
    for (const { text } of own.toReversed()) {
      const write = writes.get(text) as Write
      expect(`${text} ${earliest < write.begun}`).toBe(`${text} false`)
      earliest = Math.min(earliest, write.acknowledged)
    }

    const gone = { detail: expect.any(String), error: 'moved', location: cells.b }
    expect(await a.as(ada).get('/api/actors/me')).toMatchObject({ status: 421, body: gone })

    const refusedMs = writers.map((writer) => Math.round(writer.refusedMs))
    const figures = {
      ...JSON.parse(move.stdout),
      writes: writes.size,
      readers: reading.length,
      refused_ms: { longest: Math.max(...refusedMs), median: refusedMs.sort((x, y) => x - y)[WRITERS / 2] },
      refusals: [...new Map(writers.flatMap(({ refusals }) => [...refusals]))].map(([status]) => ({
        status,
        count: writers.reduce((sum, { refusals }) => sum + (refusals.get(status) ?? 0), 0),
      })),
    }
    process.stdout.write(`Moved under load: ${JSON.stringify(figures)}\n`)
  })
})

/** Returns the event ids of a stream, up to the last one. */
async function seenIn(events: AsyncIterable<{ readonly event_id: string; readonly text: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { event_id, text } of events) {
    ids.push(event_id)
    if (text === LAST) break
  }
  return ids
}
