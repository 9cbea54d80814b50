import type { ConnectionOptions } from '@collab-spaces/db'
import type pg from 'pg'
import { connect } from './connect.js'
import { loadHistory } from './load.js'
import { makeHistory, type Outline } from './make.js'

const SEARCH_INDEX = 'events_search_keys_idx'

/**
 * Generates and loads a long history without the search index, builds the index at the end, and vacuums the tables. The
 * bench calls it in other checkouts, too, so its signature should be stable.
 */
export async function loadLongHistory(connection: ConnectionOptions, outline: Outline): Promise<void> {
  const client = await connect(connection)
  try {
    const definition = await indexDefinition(client)
    await client.query(`DROP INDEX ${SEARCH_INDEX}`)
    await loadHistory(connection, makeHistory(outline))
    await client.query("SET maintenance_work_mem = '1GB'")
    await client.query(definition)
    for (const table of ['events', 'mentions', 'threads', 'spaces']) await client.query(`VACUUM (ANALYZE) ${table}`)
  } finally {
    await client.end()
  }
}

async function indexDefinition(client: pg.Client): Promise<string> {
  const { rows } = await client.query('SELECT pg_get_indexdef($1::regclass) AS definition', [SEARCH_INDEX])
  return rows[0].definition
}
