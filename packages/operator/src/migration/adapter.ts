import { PrismaPg } from '@prisma/adapter-pg'
import { ColumnTypeEnum, type SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import pg from 'pg'

/**
 * Prisma's adapter for the schema engine, on one connection and in one transaction, which it begins. `onFailure` receives
 * PostgreSQL's errors, as the engine loses some of them.
 */
export async function adapterOn(client: pg.Client, onFailure: (failure: unknown) => void): Promise<SqlDriverAdapter> {
  const charColumns: CharColumns = new WeakMap()
  // Prisma's adapter uses a single connection only in a transaction. It takes the connection from a pool and sends BEGIN.
  const pool = new pg.Pool()
  pool.connect = (async () => lease(client, charColumns, onFailure)) as unknown as typeof pool.connect
  const adapter = await new PrismaPg(pool).connect()
  const session = await adapter.startTransaction()

  return {
    provider: 'postgres',
    adapterName: adapter.adapterName,
    queryRaw: async (query) => {
      const result = await session.queryRaw(query)
      for (const column of charColumns.get(result.rows) ?? []) result.columnTypes[column] = ColumnTypeEnum.Character
      return result
    },
    executeRaw: (query) => session.executeRaw(query),
    // Without arguments the script is one simple query. Prisma's own method splits it at every semicolon, even inside
    // function bodies.
    executeScript: async (script) => {
      await session.executeRaw({ sql: script, args: [], argTypes: [] })
    },
    getConnectionInfo: () => adapter.getConnectionInfo(),
    startTransaction: () => Promise.reject(new Error('The schema engine is in a transaction already')),
    dispose: async () => {},
  }
}

/** The columns of type `"char"` in a result. */
type CharColumns = WeakMap<unknown[][], number[]>

const CHAR_OID = 18
const TEXT_OID = 25

/** The catalogs use the one-byte type `"char"`, which the engine needs and Prisma's adapter rejects. */
function lease(client: pg.Client, charColumns: CharColumns, onFailure: (failure: unknown) => void) {
  const query = async (config: pg.QueryArrayConfig) => {
    const result = await client.query(config).catch((failure: unknown) => {
      onFailure(failure)
      throw failure
    })
    const columns: number[] = []
    for (const [column, field] of (result.fields ?? []).entries()) {
      if (field.dataTypeID !== CHAR_OID) continue
      field.dataTypeID = TEXT_OID
      columns.push(column)
    }
    charColumns.set(result.rows ?? [], columns)
    return result
  }
  return { query, on: () => {}, removeListener: () => {}, release: () => {} }
}
