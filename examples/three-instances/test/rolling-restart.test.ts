import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
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
  storedEvents,
  urlOf,
  useDatabase,
} from '@collab-spaces/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

const START = fileURLToPath(new URL('../start.mjs', import.meta.url))

/** The example, started as an operator does, and its output. */
class Example {
  output = ''
  readonly #process: ChildProcess

  constructor(databaseUrl: string, port: number) {
    this.#process = spawn(process.execPath, [START], {
      env: {
        // biome-ignore lint/style/noProcessEnv: programs are found where the test run finds them, all else is given
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        LOG_LEVEL: 'fatal',
        DATABASE_POOL: '6',
      },
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

  /** Returns the processes of the instances, in the order of their start. */
  get instances(): { readonly name: string; readonly pid: number }[] {
    const lines = this.output.matchAll(/(instance\d) serves \(process (\d+)\)/g)
    return [...lines].map(([, name, pid]) => ({ name: name as string, pid: Number(pid) }))
  }

  restart(): void {
    this.#process.kill('SIGHUP')
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await ended
  }
}

/** Repeats an action concurrently until it is stopped, and records failures. */
class Load {
  rounds = 0
  readonly failures: string[] = []
  #stop = false
  readonly #workers: Promise<void>[]

  constructor(
    readonly name: string,
    workers: number,
    private readonly work: (worker: number, round: number) => Promise<void>,
  ) {
    this.#workers = Array.from({ length: workers }, (_, worker) => this.#run(worker))
  }

  async #run(worker: number): Promise<void> {
    for (let round = 0; !this.#stop; round++) {
      await this.work(worker, round).catch((error: Error) => {
        this.failures.push(`${this.name}: ${error.message} ${error.cause ?? ''}`)
      })
      this.rounds++
    }
  }

  async stop(): Promise<void> {
    this.#stop = true
    await Promise.all(this.#workers)
  }
}

const LAST = 'last'

describeWith(['haproxy'], 'three instances behind haproxy', () => {
  const database = useDatabase()
  let example: Example
  let ada: Actor
  let client: Client

  beforeAll(async () => {
    const port = await freePorts(4)
    example = new Example(urlOf(database.connection), port)
    await example.says('Three instances are ready', 30_000)
    const anonymous = new Client(`http://127.0.0.1:${port}`)
    ada = await anonymous.registerHuman()
    client = anonymous.as(ada)
  })

  afterAll(() => example?.stop())

  const storedTexts = async (space: string) => (await storedEvents(database.connection, space)).map(({ text }) => text)

  it('restart under load without a failed request and without a missed or repeated event', async () => {
    const space = await client.openSpace(ada)
    const id = spaceIdOf(space)
    const acknowledged: string[] = []
    const interruptions: unknown[] = []
    const streams = Array.from({ length: 12 }, () => {
      const onReconnect = (error: unknown) => interruptions.push(error)
      return createClient({ url: client.url, token: ada.api_key }).stream(id, { onReconnect })
    })
    const seen = streams.map(async (stream) => {
      const texts: string[] = []
      for await (const { text } of stream) {
        texts.push(text)
        if (text === LAST) break
      }
      return texts
    })
    const loads = [
      new Load('write', 4, async (worker, round) => {
        const text = `${worker}/${round}`
        // A graceful stop needs no retry, so this also holds for writes that must not be repeated.
        const headers: Record<string, string> = worker % 2 === 0 ? { 'Idempotency-Key': randomUUID() } : {}
        await client.post(`${space}/speech`, { text }, { headers }).expect(200)
        acknowledged.push(text)
      }),
      new Load('read', 3, async (worker) => {
        const path = [`${space}/events?tail=true`, `${space}/status`, '/api/actors/me'][worker] as string
        await client.get(path).expect(200)
      }),
      new Load('long answer', 1, async () => {
        const known = acknowledged.length
        expect((await client.get(`${space}/transcript`).expect(200)).length).toBeGreaterThanOrEqual(known)
      }),
    ]

    const before = example.instances
    await eventually(() => loads.every(({ rounds }) => rounds > 10))
    example.restart()
    await example.says('Restarted all three', 60_000)
    await Promise.all(loads.map((load) => load.stop()))
    await client.post(`${space}/speech`, { text: LAST }).expect(200)

    expect(loads.flatMap(({ failures }) => failures)).toEqual([])
    const stored = await storedTexts(space)
    expect([...stored].sort()).toEqual([...acknowledged, LAST].sort())
    for (const texts of await Promise.all(seen)) expect(texts).toEqual(stored)
    // Streams of a stopping instance ended gracefully, and reconnected at the first attempt.
    expect(interruptions.length).toBeGreaterThanOrEqual(streams.length)
    expect(interruptions.filter((error) => error !== null)).toEqual([])
    const after = example.instances.slice(before.length)
    expect(after.map(({ name }) => name)).toEqual(['instance1', 'instance2', 'instance3'])
  })

  it('lose no read and no write with an Idempotency-Key when an instance is killed', async () => {
    const space = await client.openSpace(ada)
    const acknowledged: string[] = []
    const loads = [
      new Load('write', 4, async (worker, round) => {
        const text = `${worker}/${round}`
        await client.post(`${space}/speech`, { text }, { headers: { 'Idempotency-Key': text } }).expect(200)
        acknowledged.push(text)
      }),
      new Load('read', 3, async () => {
        await client.get(`${space}/status`).expect(200)
      }),
    ]
    await eventually(() => loads.every(({ rounds }) => rounds > 10))
    const known = example.instances.length
    const { name, pid } = example.instances.at(-1) as { name: string; pid: number }
    process.kill(pid, 'SIGKILL')
    await example.says(`${name} has ended; starting it again`, 10_000)
    await eventually(() => example.instances.length > known)
    await Promise.all(loads.map((load) => load.stop()))
    expect(loads.flatMap(({ failures }) => failures)).toEqual([])
    expect((await storedTexts(space)).sort()).toEqual(acknowledged.sort())
  })
})

const isAlwaysFound = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].some(existsSync)

// This PATH contains neither haproxy nor its installer.
it.skipIf(isAlwaysFound)('start.mjs prints in one line that haproxy is missing', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [START], {
    env: { PATH: '/nowhere' },
    encoding: 'utf8',
  })
  expect(stdout).toMatch(/^Cannot start: haproxy is not installed \(.*\)\n$/)
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
})

it.skipIf(isAlwaysFound)('start.mjs prints in one line that the database cannot be used', async () => {
  const path = await mkdtemp(join(tmpdir(), 'three-instances-'))
  await writeFile(join(path, 'haproxy'), '#!/bin/sh\n', { mode: 0o755 })
  const env = { PATH: path, DATA_DIR: '/proc/nowhere' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [START], { env, encoding: 'utf8' })
  await rm(path, { recursive: true })
  expect(stdout).toMatch(/^Cannot start: Cannot make .*nowhere.*\n$/)
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
})
