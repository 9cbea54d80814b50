import { once } from 'node:events'
import { get } from 'node:http'
import {
  Client,
  eventually,
  freePorts,
  Program,
  proxyTo,
  servingConnection,
  startProgram,
  urlOf,
  useProgram,
} from '@collab-spaces/testing'
import { expect, it, onTestFinished } from 'vitest'
import { dataDirectory } from './support/data-directory.js'
import { StreamReader } from './support/stream.js'

const metricsPort = await freePorts(1)
const served = useProgram({ WORKERS: '2', LOG_LEVEL: 'info', LOG_FORMAT: 'json', METRICS_PORT: String(metricsPort) })

const scrape = () => fetch(`http://127.0.0.1:${metricsPort}/metrics`)

interface Line {
  readonly pid: number
  readonly msg: string
  readonly workerPid?: number
  readonly how?: string
}

const lines = ({ stderr }: Program): Line[] =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

/** Returns the process ids of the workers that have logged requests. */
const workersIn = (program: Program) => [
  ...new Set(lines(program).flatMap(({ pid, msg }) => (msg === 'request' ? [pid] : []))),
]

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Sends a request on a connection of its own, which the next worker in turn serves. */
async function connect(url: string): Promise<void> {
  const [answer] = await once(get(`${url}/api/actors/me`, { agent: false }), 'response')
  answer.resume()
  await once(answer, 'end')
}

/** Resolves when two workers serve requests. */
const bothServe = ({ program, url }: { readonly program: Program; readonly url: string }) =>
  eventually(async () => {
    await connect(url)
    return workersIn(program).filter(isAlive).length === 2
  })

/** Posts texts concurrently on separate connections, and returns the accepted ones. */
async function sayAll(client: Client, space: string, texts: readonly string[]): Promise<string[]> {
  const answers = await Promise.allSettled(
    texts.map((text) => client.post(`${space}/speech`, { text, idempotency_key: text })),
  )
  return texts.filter((_, n) => {
    const answer = answers[n]
    return answer?.status === 'fulfilled' && answer.value.status === 200
  })
}

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix} ${n}`)

it('workers share the port, the history and the metrics', async () => {
  const { client, path } = await served.adasSpace()
  const readers = await Promise.all(Array.from({ length: 4 }, () => StreamReader.open(client, path)))
  const texts = numbered('shared', 40)
  expect(await sayAll(client, path, texts)).toEqual(texts)
  const order = (await client.get(`${path}/transcript`).expect(200)).map(({ text }: { text: string }) => text)
  expect(order.toSorted()).toEqual(texts.toSorted())
  for (const reader of readers) {
    await reader.read(texts.length)
    expect(reader.events.map(({ text }) => text)).toEqual(order)
  }
  await eventually(() => workersIn(served.program).length === 2)
  const metrics = await (await scrape()).text()
  expect(metrics).toContain(`spaces_events_appended_total{poster="human"} ${texts.length}\n`)
  expect(metrics).toContain('spaces_database_up 1\n')
  expect(metrics).toMatch(/^spaces_build_info\{version="[^"]+"\} 1$/m)
})

it('workers are replaced when they are killed, and no accepted event is lost', async () => {
  const { client, path } = await served.adasSpace()
  const [victim = 0] = workersIn(served.program)
  const saying = Promise.all(['a', 'b', 'c'].map((prefix) => sayAll(client, path, numbered(prefix, 20))))
  process.kill(victim, 'SIGKILL')
  const accepted = (await saying).flat()
  await eventually(() => lines(served.program).some(({ workerPid }) => workerPid === victim))
  const later = numbered('later', 20)
  await eventually(async () => (await sayAll(client, path, later)).length === later.length)
  const stored = (await client.get(`${path}/transcript`).expect(200)).map(({ text }: { text: string }) => text)
  expect(stored).toEqual(expect.arrayContaining([...accepted, ...later]))
  expect(new Set(stored).size).toBe(stored.length)
  await bothServe(served)
})

it('a scrape that a worker does not answer gets 503, and ends no worker', async () => {
  const [victim = 0, ...more] = workersIn(served.program).filter(isAlive)
  process.kill(victim, 'SIGSTOP')
  expect((await scrape()).status).toBe(503)
  process.kill(victim, 'SIGCONT')
  await eventually(async () => (await scrape()).status === 200)
  expect([victim, ...more].every(isAlive)).toBe(true)
})

it('scrapes do not disturb the start of a worker', async () => {
  const [victim = 0] = workersIn(served.program).filter(isAlive)
  process.kill(victim, 'SIGKILL')
  await eventually(() => lines(served.program).some(({ workerPid }) => workerPid === victim))
  let isOver = false
  const scrapeOn = async () => {
    while (!isOver) await scrape()
  }
  const scraping = scrapeOn()
  await bothServe(served)
  isOver = true
  await scraping
  const failed = ({ msg, workerPid }: Line) => msg.startsWith('a worker ended') && workerPid === undefined
  expect(lines(served.program).filter(failed)).toEqual([])
})

it('a worker that cannot start again is started once more, and the others serve meanwhile', async () => {
  const proxy = await proxyTo(served.connection)
  onTestFinished(() => proxy.cut())
  const environment = {
    DATABASE_URL: urlOf(servingConnection(proxy.connection)),
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
  }
  const program = startProgram({ ...environment, WORKERS: '2', MIGRATION_DATABASE_URL: urlOf(served.connection) })
  const url = await program.url()
  await bothServe({ program, url })
  await proxy.cut()
  process.kill(workersIn(program)[0] as number, 'SIGKILL')
  await eventually(() => lines(program).some(({ how }) => how?.includes('cannot be used')))
  await new Client(url).get('/health').expect(200)
  await proxy.restore()
  await bothServe({ program, url })
})

it('workers stop with the service, which ends their streams', async () => {
  const { client, path } = await served.adasSpace()
  const reader = await StreamReader.open(client, path)
  const workers = workersIn(served.program).filter(isAlive)
  expect(await served.program.kill('SIGTERM')).toBe(0)
  await reader.ended
  expect(workers.filter(isAlive)).toEqual([])
  expect(lines(served.program).filter(({ msg }) => msg === 'stopped')).toHaveLength(1)
  await served.start()
})

it('workers end when the service is killed', async () => {
  const { client, path } = await served.adasSpace()
  await sayAll(client, path, numbered('last', 20))
  await eventually(() => workersIn(served.program).length === 2)
  const workers = workersIn(served.program)
  await served.kill()
  await eventually(() => !workers.some(isAlive))
  await served.start()
  await client.get(`${path}/transcript`).expect(200)
})

it('workers use the embedded PostgreSQL of one service', async () => {
  const environment = { WORKERS: '2', DATA_DIR: await dataDirectory() }
  const program = new Program(environment)
  onTestFinished(async () => void (await program.kill('SIGTERM')))
  const { client, path } = await new Client(await program.url()).adasSpace()
  const texts = numbered('embedded', 20)
  expect(await sayAll(client, path, texts)).toEqual(texts)
})

it.each([
  ['0', 'WORKERS must be from 1 to 64'],
  ['two', 'WORKERS must be auto or a whole number from 1 to 64'],
])('WORKERS=%j is refused', async (WORKERS, complaint) => {
  const program = new Program({ WORKERS })
  expect(await program.end()).toBe(78)
  expect(program.stderr).toContain(complaint)
})

it('workers report in one line why they cannot start', async () => {
  const { port } = new URL(served.url)
  const program = new Program({ WORKERS: '2', PORT: port, DATA_DIR: await dataDirectory() })
  expect(await program.end()).toBe(1)
  expect(program.complaints).toEqual([
    `Cannot start: Port ${port} is already in use: stop the other program, or set PORT to another port`,
  ])
})
