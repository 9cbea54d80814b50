import { appendOf } from '@collab-spaces/api'
import type { ConnectionOptions } from '@collab-spaces/db'
import type pg from 'pg'
import { connect } from './connect.js'
import { Loader } from './loader.js'
import type { PastEvent, Scope } from './past-event.js'

/** PostgreSQL makes the terms of a text on as many cores as there are loaders. */
const LOADERS = 2

/**
 * Writes a history into spaces that are there, after what they hold. No other client may write to them meanwhile.
 *
 * It goes past the service by COPY, many rows to a commit. The rows are what the service would have stored: its own
 * code renders the event and names the columns, and `apps/server/test/history.test.ts` compares the rows.
 */
export async function loadHistory(connection: ConnectionOptions, history: Iterable<PastEvent>): Promise<void> {
  const heads = new Heads(connection)
  const loaders: Loader[] = []
  try {
    for (let n = 0; n < LOADERS; n++) loaders.push(await Loader.open(connection))
    for (const { tenantId, time, draft, thread } of history) {
      const head = heads.of(tenantId, draft.space_id) ?? (await heads.read(tenantId, draft.space_id))
      // A space stays in its loader, as its threads have to be there before what is said in them.
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
  /** The number of its space, in the order in which spaces are asked for. */
  readonly order: number
}

/** The head of the log of each space. */
class Heads {
  readonly #known = new Map<string, Head>()
  #client: pg.Client | null = null

  constructor(private readonly connection: ConnectionOptions) {}

  of(tenantId: Scope, spaceId: string): Head | undefined {
    return this.#known.get(`${tenantId}/${spaceId}`)
  }

  async read(tenantId: Scope, spaceId: string): Promise<Head> {
    this.#client ??= await connect(this.connection)
    const statement = 'SELECT head FROM spaces WHERE tenant_id = $1 AND space_id = $2'
    const { rows } = await this.#client.query(statement, [tenantId, spaceId])
    if (rows.length === 0) throw new Error(`There is no space ${spaceId} to load a history into`)
    const head = { position: Number(rows[0].head), order: this.#known.size }
    this.#known.set(`${tenantId}/${spaceId}`, head)
    return head
  }

  async close(): Promise<void> {
    await this.#client?.end()
  }
}
