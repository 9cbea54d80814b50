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
    /** The PostgreSQL shared by trials that do not harm it. */
    private readonly postgres: () => Promise<Postgres>,
  ) {
    this.random = seededRandom(seed)
  }

  /** Whether there is time for long faults. */
  get isFull(): boolean {
    return this.sizes === FULL
  }

  /** Records a violated guarantee. The trial continues, since violations often occur together. */
  require(holds: boolean, violation: string): void {
    if (!holds) this.violations.push(violation)
  }

  /** Returns a violation with the server's log about its request. */
  explained(violation: string): string {
    const id = /"request_id":"([^"]+)"/.exec(violation)?.[1]
    const reason = id && this.#instances.map((instance) => instance.reasonFor(id)).find((line) => line !== undefined)
    return reason ? `${violation}; logged: ${reason.slice(0, 2_000)}` : violation
  }

  get crashes(): string[] {
    return this.#instances.flatMap(({ crashes }) => crashes)
  }

  /** Records a violation if an action took longer than promised. */
  requireWithin(promisedMs: number, tookMs: number, what: string): void {
    this.require(tookMs <= promisedMs * this.sizes.slack, `${what} ${Math.round(tookMs)} ms`)
  }

  /** Returns whether there is time for another fault, after this many. */
  hasTimeFor(faults: number): boolean {
    return faults < this.sizes.faults || performance.now() - this.#begun < this.sizes.seconds * 1_000
  }

  /** Returns a random whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1))
  }

  pick<T>(list: readonly T[]): T {
    return oneOf(list, this.random)
  }

  /** Creates a migrated database for this trial. */
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

  /** Starts servers of one database, and waits until they are ready. */
  async cluster(count: number): Promise<{ connection: ConnectionOptions; instances: Instance[] }> {
    const connection = await this.database()
    return { connection, instances: await this.instances(count, settingsFor(connection)) }
  }

  /** Starts a server with an embedded PostgreSQL on these data, and waits until it is ready. */
  async embeddedServer(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Instance> {
    const server = await Instance.at({ DATA_DIR: dataDir, ...settings })
    this.cleanup.add(async () => {
      await server.kill()
      await endPostgres(dataDir)
    })
    await server.start()
    return server
  }

  /** Starts a server with default settings, and waits until it is ready. */
  async plainServer(): Promise<Instance> {
    const [server] = await this.instances(1, { DATABASE_URL: urlOf(await this.database()) })
    return server as Instance
  }

  /** Starts servers, each at a fixed address, and waits until they are ready. */
  async instances(count: number, settings: Readonly<Record<string, string>>): Promise<Instance[]> {
    const instances: Instance[] = []
    for (let n = 0; n < count; n++) instances.push(await Instance.at(settings))
    this.#instances.push(...instances)
    for (const instance of instances) this.cleanup.add(() => instance.kill())
    await Promise.all(instances.map((instance) => instance.start()))
    return instances
  }
}

/** Few connections, so that all of them are soon in use. */
export const settingsFor = (connection: ConnectionOptions) => ({ DATABASE_URL: urlOf(connection), DATABASE_POOL: '8' })
