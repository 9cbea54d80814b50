import { appendOf } from '@collab-spaces/api'
import type { ConnectionOptions } from '@collab-spaces/db'
import type pg from 'pg'
import { connect } from './connect.js'
import { Loader } from './loader.js'
import type { PastEvent, TenantId } from './past-event.js'

/** PostgreSQL computes the search terms on as many cores as there are loaders. */
const LOADERS = 2

/**
 * Appends a history to existing spaces, which must have no other writers meanwhile. It bypasses the service by COPY,
 * with many rows per commit. The rows are those that the service would store: its own code renders the events and names
 * the columns, and `apps/server/test/history.test.ts` compares the rows.
 */
export async function loadHistory(connection: ConnectionOptions, history: Iterable<PastEvent>): Promise<void> {
  const heads = new Heads(connection)
  const loaders: Loader[] = []
  try {
    for (let n = 0; n < LOADERS; n++) loaders.push(await Loader.open(connection))
    for (const { tenantId, time, draft, thread } of history) {
      const head = heads.of(tenantId, draft.space_id) ?? (await heads.read(tenantId, draft.space_id))
      // A space stays with one loader, since its threads must exist before their events.
      const loader = loaders[head.order % LOADERS] as Loader
      const timestamp = new Date(time).toISOString()
      if (thread) loader.addThread(tenantId, draft.space_id, thread, timestamp)
      loader.add(appendOf({ tenantId, isGuest: false }, draft, null), ++head.position, timestamp)
      if (loader.isFull) await loader.flush()
    }
    for (const loader of loaders) await loader.flush()
    await Promise.all(loaders.map((loader) => loader.written))
  } finally {
    await Promise.all([heads.close(), ...loaders.map((loader) => loader.close())])
  }
}

interface Head {
  position: number
  /** The index of its space. */
  readonly order: number
}

/** Returns the head of each space. */
class Heads {
  readonly #known = new Map<string, Head>()
  #client: pg.Client | null = null

  constructor(private readonly connection: ConnectionOptions) {}

  of(tenantId: TenantId, spaceId: string): Head | undefined {
    return this.#known.get(`${tenantId}/${spaceId}`)
  }

  async read(tenantId: TenantId, spaceId: string): Promise<Head> {
    this.#client ??= await connect(this.connection)
    const statement = 'SELECT head FROM spaces WHERE tenant_id = $1 AND space_id = $2'
    const { rows } = await this.#client.query(statement, [tenantId, spaceId])
    if (rows.length === 0) throw new Error(`Space ${spaceId} does not exist`)
    const head = { position: Number(rows[0].head), order: this.#known.size }
    this.#known.set(`${tenantId}/${spaceId}`, head)
    return head
  }

  async close(): Promise<void> {
    await this.#client?.end()
  }
}
