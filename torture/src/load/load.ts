import type { ConnectionOptions } from '@collab-spaces/db'
import { oneOf, seededRandom, text } from '@collab-spaces/testing/history'
import { eventually } from '@collab-spaces/testing/programs'
import { checkLog } from '../checker/check-log.js'
import { checkGone, checkReader } from '../checker/check-reader.js'
import { Notes } from '../checker/notes.js'
import { readLog } from '../checker/stored.js'
import type { Counts } from '../row.js'
import { openSpace, register } from '../service/people.js'
import type { Trial } from '../trial.js'
import { Auditor } from './auditor.js'
import { EventIds } from './event-ids.js'
import { PageReader } from './page-reader.js'
import { Refusals } from './refusals.js'
import { StreamReader } from './stream-reader.js'
import { MANNERS, type Manner, Writer } from './writer.js'

export interface LoadOptions {
  /** The addresses for writes. */
  readonly urls: readonly string[]
  /** The addresses for reads, if different. */
  readonly readFrom?: readonly string[]
  readonly writers?: number
  readonly readers?: number
  readonly manners?: readonly Manner[]
  /** The prefix of its space ids, if another load uses the same database. */
  readonly prefix?: string
  /** The pause of a writer after each write, in milliseconds. */
  readonly restMs?: number
  /** Whether readers may see events that a failover then loses, unless they were acknowledged. */
  readonly canLoseUnacknowledged?: boolean
}

const SPACES = 4
/** The timeout for readers to reach the end after the last write. */
const CATCH_UP_MS = 30_000

/** Writers and readers that continue during faults, until they are stopped and their notes are checked. */
export class Load {
  readonly notes = new Notes()
  readonly refusals = new Refusals()
  readonly streams: StreamReader[] = []
  readonly ids = new EventIds()
  readonly #writers: Writer[]
  readonly #pages: PageReader[]
  readonly #auditor: Auditor
  readonly #canLoseUnacknowledged: boolean
  readonly #running: Promise<void>[]
  #isOver = false

  /** Registers an actor with some spaces, and starts. */
  static async start(trial: Trial, options: LoadOptions): Promise<Load> {
    const [url] = options.urls as [string]
    const { prefix = '' } = options
    const human = await register(url)
    const spaces: string[] = []
    for (let n = 0; n < SPACES; n++) spaces.push(await openSpace(url, human, prefix + (n === 0 ? 'hot' : `space-${n}`)))
    const load = new Load(trial, options, human.key, spaces)
    trial.cleanup.add(() => load.#stop())
    return load
  }

  private constructor(
    private readonly trial: Trial,
    {
      urls,
      readFrom = urls,
      writers = trial.sizes.writers,
      readers = trial.sizes.readers,
      manners = MANNERS,
      restMs = 0,
      canLoseUnacknowledged = false,
    }: LoadOptions,
    readonly key: string,
    readonly spaces: readonly string[],
  ) {
    this.#canLoseUnacknowledged = canLoseUnacknowledged
    // A dedicated generator, since the number of calls depends on the speed of the machine.
    const random = seededRandom(trial.between(0, 1_000_000))
    const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
    // Most texts are short, for a high rate; some fill a page.
    const padding = () => (random() < 0.9 ? '' : ` ${text(random)}`)
    const target = { key, spaces, between, padding, restMs, url: () => oneOf(urls, random) }
    const reading = { ...target, url: () => oneOf(readFrom, random) }
    const hot = { ...target, spaces: spaces.slice(0, 1) }
    const isOver = () => this.#isOver
    this.#writers = Array.from({ length: writers }, (_, n) => {
      const manner = manners[n % manners.length] as Manner
      return new Writer(`writer-${n}`, manner, n % 2 === 0 ? hot : target, this.notes, this.refusals)
    })
    for (let n = 0; n < readers; n++) {
      // Half of them watch the hot space.
      const space = (n % 2 === 0 ? spaces[0] : oneOf(spaces, random)) as string
      this.streams.push(new StreamReader(space, reading, this.ids).start())
    }
    this.#pages = spaces.map((space) => new PageReader(space, reading, this.ids, this.refusals))
    this.#auditor = new Auditor(reading, this.notes, this.refusals)
    this.#running = [...this.#writers, ...this.#pages, this.#auditor].map((worker) => worker.run(isOver))
  }

  /** The longest response time of a writer, in milliseconds. */
  get slowestWrite(): number {
    return Math.max(...this.#writers.map(({ slowest }) => slowest))
  }

  /** The longest response time of a writer or page reader, in milliseconds. */
  get slowestAnswer(): number {
    return Math.max(this.slowestWrite, ...this.#pages.map(({ slowest }) => slowest))
  }

  forgetSlowest(): void {
    for (const worker of [...this.#writers, ...this.#pages]) worker.slowest = 0
  }

  /** Returns the longest time without an acknowledged write since then, in milliseconds. */
  longestOutage(since: number): number {
    const times = this.notes.writes.flatMap(({ acknowledged = 0 }) => (acknowledged > since ? [acknowledged] : []))
    times.sort((a, b) => a - b)
    return Math.max(0, ...times.map((time, index) => time - (times[index - 1] ?? since)))
  }

  /** Resolves after this many further acknowledged events. */
  async more(count: number, withinMs = 30_000): Promise<void> {
    const wanted = this.notes.acknowledged + count
    await eventually(() => this.notes.acknowledged >= wanted, withinMs)
  }

  /** Stops, waits for the readers to reach the end, and compares everything with the stored events. */
  async finish(connection: ConnectionOptions): Promise<Counts> {
    this.#isOver = true
    await Promise.all(this.#running)
    const violations = [...this.refusals.violations, ...this.#auditor.violations]
    const doubled = this.#writers.reduce((sum, writer) => sum + writer.doubled, 0)
    if (doubled > 0) violations.push(`${doubled} requests that were repeated were given another event`)
    let stored = 0
    for (const space of this.spaces)
      violations.push(...(await this.#check(space, connection, (count) => (stored += count))))
    await this.#stop()
    this.trial.violations.push(...violations)
    return {
      acknowledged: this.notes.acknowledged,
      maybe: this.notes.maybe,
      stored,
      'told to come back': this.refusals.honest,
      broken: this.refusals.broken,
      streams: this.streams.length,
      reconnects: this.streams.reduce((sum, { opened }) => sum + opened, 0) - this.streams.length,
    }
  }

  async #check(space: string, connection: ConnectionOptions, count: (events: number) => void): Promise<string[]> {
    const readers = this.streams.filter((reader) => reader.space === space)
    const isAtTheEnd = async () => {
      const { head } = await readLog(connection, space)
      return readers.every(({ seen }) => seen.length >= head)
    }
    // A reader that has not reached the end missed an event, which the check reports.
    await eventually(isAtTheEnd, CATCH_UP_MS).catch(() => {})
    const pages = this.#pages.filter((reader) => reader.space === space)
    for (const reader of pages) while ((await reader.step()) > 0);
    const { events, head } = await readLog(connection, space)
    count(events.length)
    const order = events.map(({ eventId }) => eventId)
    const gone = [...readers, ...pages].flatMap((reader) =>
      checkGone(`a reader of ${space}`, reader, order, this.notes, this.#canLoseUnacknowledged),
    )
    return [
      ...checkLog(space, events, head, this.notes),
      ...gone,
      ...readers.flatMap(({ seen, after }, n) => checkReader(`stream ${n} of ${space}`, seen, order, after)),
      ...pages.flatMap(({ seen }) => checkReader(`pages of ${space}`, seen, order, undefined)),
    ]
  }

  async #stop(): Promise<void> {
    this.#isOver = true
    await Promise.all([...this.streams.map((reader) => reader.stop()), ...this.#running])
  }
}
