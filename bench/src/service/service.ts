import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient } from '@collab-spaces/client'
import type { ConnectionOptions } from '@collab-spaces/postgres-embedded'
import { type SpaceOutline, type Speaker, seededRandom, type TenantId } from '@collab-spaces/testing/history'
import {
  connectionTo,
  dataCopies,
  postmasterOf,
  query,
  startPostgresOn,
  temporaryDirectory,
  urlOf,
} from '@collab-spaces/testing/programs'
import type { QueryResultRow } from 'pg'
import { cleanup } from '../cleanup.js'
import type { Checkout } from './checkout.js'
import { Server } from './server.js'

/** A registered human. */
export interface Human {
  readonly actorId: string
  readonly name: string
  readonly key: string
  readonly tenantId: TenantId
}

/** The settings of a server, as environment variables. */
type Settings = Readonly<Record<string, string>>

const DAYS_30 = 30 * 86_400_000

/** A server with its own PostgreSQL, and methods to fill it. */
export class Service {
  /** The version of the embedded PostgreSQL; null before the first service was opened. */
  static postgresVersion: string | null = null

  readonly close: () => Promise<void>

  private constructor(
    private readonly checkout: Checkout,
    readonly directory: string,
    isTemporary: boolean,
    public server: Server,
    readonly connection: ConnectionOptions,
    private readonly settings: Settings,
  ) {
    this.close = cleanup.add(async () => {
      await this.server.stop()
      if (isTemporary) await rm(directory, { recursive: true, force: true })
    })
  }

  /** Without a directory, uses a temporary one. */
  static async open(checkout: Checkout, directory?: string, settings: Settings = {}): Promise<Service> {
    const place = directory ?? (await temporaryDirectory())
    const dataDir = join(place, 'data')
    if (directory === undefined) await makeData(dataDir)
    const server = await Server.start(checkout.main, place, settings)
    const connection = await connectionTo(dataDir)
    const service = new Service(checkout, place, directory === undefined, server, connection, settings)
    const { server_version } = await service.queryOne<{ server_version: string }>('SHOW server_version')
    Service.postgresVersion ??= server_version
    return service
  }

  get url(): string {
    return this.server.url
  }

  clientOf(human: Human): Client {
    return createClient({ url: this.url, token: human.key })
  }

  async registerHuman(name: string): Promise<Human> {
    const client = createClient({ url: this.url })
    const { actor_id, api_key } = await client.actor.register.mutate({ display_name: name, email: 'ada@example.org' })
    return { actorId: actor_id, name, key: api_key, tenantId: await this.#scopeOf(actor_id) }
  }

  /** Registers a human with a separate tenant. */
  async registerTenant(name: string): Promise<Human> {
    const human = await this.registerHuman(name)
    await this.clientOf(human).tenant.create.mutate({ name })
    return { ...human, tenantId: await this.#scopeOf(human.actorId) }
  }

  async openSpace(human: Human, spaceId: string): Promise<string> {
    const client = this.clientOf(human)
    await client.space.create.mutate({ space_id: spaceId })
    await client.participant.join.mutate({ space_id: spaceId })
    return spaceId
  }

  /** Opens the spaces `space-0` and so on, with equally long histories. */
  async openSpaces(human: Human, count: number, eventsInEach: number): Promise<string[]> {
    const spaces: string[] = []
    for (let n = 0; n < count; n++) spaces.push(await this.openSpace(human, `space-${n}`))
    const outlines = spaces.map((spaceId) => ({
      tenantId: human.tenantId,
      spaceId,
      share: 1,
      speakers: [speakerOf(human)],
    }))
    await this.fill(outlines, count * eventsInEach)
    return spaces
  }

  /** Loads thirty days of history, up to now. */
  async fill(spaces: readonly SpaceOutline[], events: number): Promise<void> {
    const end = Date.now() - 1_000
    await this.checkout.loadLongHistory(this.connection, {
      spaces,
      events,
      begin: end - DAYS_30,
      end,
      random: seededRandom(1),
    })
  }

  /** Runs one statement on a separate connection. */
  async query<R extends QueryResultRow>(statement: string, values: unknown[] = []): Promise<R[]> {
    return (await query(this.connection, statement, values)).rows
  }

  async queryOne<R extends QueryResultRow>(statement: string, values: unknown[] = []): Promise<R> {
    const [row] = await this.query<R>(statement, values)
    if (row === undefined) throw new Error(`No row: ${statement}`)
    return row
  }

  /** Stops the server with its PostgreSQL, and restarts it on the same data. */
  async restart(): Promise<void> {
    await this.server.stop()
    this.server = await Server.start(this.checkout.main, this.directory, this.settings)
  }

  /** Returns the process of its PostgreSQL. */
  async postmaster(): Promise<number> {
    return Number(await postmasterOf(join(this.directory, 'data')))
  }

  /** Starts another server on the same PostgreSQL, which must be stopped before this one. */
  async startAnother(): Promise<{ readonly server: Server; readonly stop: () => Promise<void> }> {
    const settings = { DATABASE_URL: urlOf(this.connection) }
    const server = await Server.start(this.checkout.main, this.directory, settings)
    return { server, stop: cleanup.add(() => server.stop()) }
  }

  async #scopeOf(actorId: string): Promise<TenantId> {
    const statement = 'SELECT tenant_id FROM actors WHERE actor_id = $1'
    return (await this.queryOne<{ tenant_id: TenantId }>(statement, [actorId])).tenant_id
  }
}

/** Returns a human as a speaker of a generated history. */
export const speakerOf = ({ actorId, name }: Human): Speaker => ({ actor_id: actorId, display_name: name })

/** Creates the data of a future server, in which further databases may be created. */
const makeData = dataCopies(async (dataDir) => {
  const { stop } = await startPostgresOn(dataDir)
  await stop()
})
