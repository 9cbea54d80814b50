import { connect } from './load.mjs'

/** @import { Connection } from '@collab-spaces/db' */

const SEARCH_INDEX = 'events_search_keys_idx'

/**
 * Loads a long history while the search index is away, builds it at the end, and leaves the tables as autovacuum
 * would have left them in time.
 * @param {Connection} connection
 * @param {() => Promise<void>} load
 */
export async function settleAfter(connection, load) {
  const client = await connect(connection)
  try {
    const definition = await indexDefinition(client)
    await client.query(`DROP INDEX ${SEARCH_INDEX}`)
    await load()
    await client.query("SET maintenance_work_mem = '1GB'")
    await client.query(definition)
    for (const table of ['events', 'mentions', 'threads', 'spaces']) await client.query(`VACUUM (ANALYZE) ${table}`)
  } finally {
    await client.end()
  }
}

/** @param {import('pg').Client} client */
async function indexDefinition(client) {
  const { rows } = await client.query('SELECT pg_get_indexdef($1::regclass) AS definition', [SEARCH_INDEX])
  return rows[0].definition
}
