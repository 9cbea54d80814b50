import { tryConnect } from './connection.js'
import { EmbeddedError, explain } from './errors.js'
import { isOwned } from './owner-lock.js'
import { preparePlace } from './place.js'
import { readPidFile } from './postmaster.js'
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from './server.js'

/**
 * Connects to the PostgreSQL of the server that is using the data, or starts one for the time being when no server is.
 * For commands of the operator; `stop` only stops what was started here.
 */
export async function attachEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const place = await preparePlace(options)
    const host = (await readPidFile(place.cluster))?.socketDirectory ?? place.connection.host
    const connection = { ...place.connection, host }
    const client = await tryConnect(connection)
    if (typeof client === 'object') {
      const isServed = await isOwned(client)
      await client.end()
      if (isServed) return { connection, dataDir: place.dataDir, stop: async () => {} }
    }
  } catch (error) {
    throw error instanceof EmbeddedError ? error : explain(error, options.dataDir)
  }
  return startEmbedded(options)
}
