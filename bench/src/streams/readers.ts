import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rawRequest } from '@collab-spaces/testing/programs'
import { cleanup } from '../cleanup.js'
import { MissingTool, pathOf } from '../tools/install.js'
import type { Request } from '../workload/request.js'

/** Where it was written: it is no part of the build. */
const SOURCE = fileURLToPath(new URL('../../src/streams/reader.c', import.meta.url))
/** How long after the last event the slowest reader is waited for. */
const PATIENCE_MS = 30_000

/** The readers' counts so far: the events of the streams with the fewest and the most, and of all. */
export interface ReaderCounts {
  readonly least: number
  readonly most: number
  readonly total: number
  readonly lateness: readonly Late[]
}

/** So many events were this late, in milliseconds. In ascending order. */
interface Late {
  readonly ms: number
  readonly events: number
}

/** Many readers of streams, in a process of their own. `reader.c` says what it is told and tells. */
export class Readers {
  readonly #lines: AsyncIterator<string>

  private constructor(
    private readonly child: ChildProcess,
    output: Readable,
  ) {
    this.#lines = createInterface(output)[Symbol.asyncIterator]()
  }

  /** Resolves when all streams are open. Each request is for an equal share of them. */
  static async open(url: string, requests: readonly Request[], count: number): Promise<Readers> {
    const { hostname, port } = new URL(url)
    const streams = requests.map((request) => rawRequest(new URL(url).host, request))
    const child = spawn(await program(), [hostname, port, String(count), ...streams], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    // One that has ended says why in its last line.
    child.stdin.on('error', () => {})
    const readers = new Readers(child, child.stdout)
    const line = await readers.#line()
    if (line !== 'open') throw new Error(line)
    return readers
  }

  /** Their counts when each has seen so many events, or when that takes too long. */
  async seen(eventsOfEach: number): Promise<ReaderCounts> {
    const deadline = performance.now() + PATIENCE_MS
    while (true) {
      this.child.stdin?.write('\n')
      const line = await this.#line()
      if (!line.startsWith('{')) throw new Error(line)
      const seen: ReaderCounts = JSON.parse(line)
      if (seen.least >= eventsOfEach || performance.now() > deadline) return seen
      await delay(200)
    }
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null) return
    const gone = once(this.child, 'exit')
    this.child.stdin?.end()
    await gone
  }

  async #line(): Promise<string> {
    const { value, done } = await this.#lines.next()
    return done ? `The readers ended (${this.child.signalCode ?? this.child.exitCode})` : value
  }
}

let compiled: Promise<string> | undefined

/** The path of the program, which is compiled once. */
function program(): Promise<string> {
  compiled ??= compile()
  return compiled
}

async function compile(): Promise<string> {
  const compiler = await pathOf('cc')
  const directory = await mkdtemp(join(tmpdir(), 'spaces-reader-'))
  cleanup.add(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, 'reader')
  await promisify(execFile)(compiler, ['-O2', '-o', file, SOURCE]).catch((error) => {
    throw new MissingTool(`the readers of streams could not be compiled: ${error.message}`)
  })
  return file
}

/** The lateness, in milliseconds, that a share of all events did not exceed. */
export function latenessAt({ lateness, total }: ReaderCounts, share: number): number {
  let left = total * share
  for (const { ms, events } of lateness) {
    left -= events
    if (left <= 0) return ms
  }
  return Number.POSITIVE_INFINITY
}
