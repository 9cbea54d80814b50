import { rm } from 'node:fs/promises'
import type { ConnectionOptions } from '@collab-spaces/db'
import { oneOf, type Random, seededRandom } from '@collab-spaces/testing/history'
import { Cleanup, copyOf, endPostgres, temporaryDirectory, urlOf } from '@collab-spaces/testing/programs'
import { Instance } from './service/instance.js'
import type { Postgres } from './service/postgres.js'
import { FULL, type Sizes } from './sizes.js'

/** One run of a row. */
export class Trial {
  readonly cleanup = new Cleanup()
  readonly violations: string[] = []
  readonly random: Random
  readonly #begun = performance.now()
  readonly #instances: Instance[] = []

  constructor(
    readonly sizes: Sizes,
    seed: number,
    /** The PostgreSQL that trials share which do it no harm. */
    private readonly postgres: () => Promise<Postgres>,
  ) {
    this.random = seededRandom(seed)
  }

  /** Whether there is time for what takes long. */
  get isFull(): boolean {
    return this.sizes === FULL
  }

  /** Notes a broken promise. The trial goes on, since one often comes with others. */
  require(holds: boolean, violation: string): void {
    if (!holds) this.violations.push(violation)
  }

  /** A violation, with what a server has logged about the request that it names. */
  explained(violation: string): string {
    const id = /"request_id":"([^"]+)"/.exec(violation)?.[1]
    const reason = id && this.#instances.map((instance) => instance.reasonFor(id)).find((line) => line !== undefined)
    return reason ? `${violation}; logged: ${reason.slice(0, 2_000)}` : violation
  }

  get crashes(): string[] {
    return this.#instances.flatMap(({ crashes }) => crashes)
  }

  /** Notes what took longer than promised. */
  requireWithin(promisedMs: number, tookMs: number, what: string): void {
    this.require(tookMs <= promisedMs * this.sizes.slack, `${what} ${Math.round(tookMs)} ms`)
  }

  /** Whether there is time for another fault, of which so many have been. */
  hasTimeFor(faults: number): boolean {
    return faults < this.sizes.faults || performance.now() - this.#begun < this.sizes.seconds * 1_000
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1))
  }

  pick<T>(list: readonly T[]): T {
    return oneOf(list, this.random)
  }

  /** A migrated database of the trial's own. */
  async database(): Promise<ConnectionOptions> {
    const { template } = await this.postgres()
    const { connection, drop } = await copyOf(template)
    this.cleanup.add(drop)
    return connection
  }

  async directory(): Promise<string> {
    const directory = await temporaryDirectory()
    this.cleanup.add(() => rm(directory, { recursive: true, force: true }))
    return directory
  }

  /** Servers of one database that are ready, and the database. */
  async cluster(count: number): Promise<{ connection: ConnectionOptions; instances: Instance[] }> {
    const connection = await this.database()
    return { connection, instances: await this.instances(count, settingsFor(connection)) }
  }

  /** A server with an embedded PostgreSQL on these data, which is ready. */
  async embeddedServer(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Instance> {
    const server = await Instance.at({ DATA_DIR: dataDir, ...settings })
    this.cleanup.add(async () => {
      await server.kill()
      await endPostgres(dataDir)
    })
    await server.start()
    return server
  }

  /** A server that is ready, with its settings as they come. */
  async plainServer(): Promise<Instance> {
    const [server] = await this.instances(1, { DATABASE_URL: urlOf(await this.database()) })
    return server as Instance
  }

  /** Servers that are ready, each at an address that it keeps. */
  async instances(count: number, settings: Readonly<Record<string, string>>): Promise<Instance[]> {
    const instances: Instance[] = []
    for (let n = 0; n < count; n++) instances.push(await Instance.at(settings))
    this.#instances.push(...instances)
    for (const instance of instances) this.cleanup.add(() => instance.kill())
    await Promise.all(instances.map((instance) => instance.start()))
    return instances
  }
}

/** Few connections, so that they are soon all in use. */
export const settingsFor = (connection: ConnectionOptions) => ({ DATABASE_URL: urlOf(connection), DATABASE_POOL: '8' })
