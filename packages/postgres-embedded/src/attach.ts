import { tryConnect } from './connection.js'
import { EmbeddedError, explain } from './errors.js'
import { isOwned } from './owner-lock.js'
import { readPidFile } from './postmaster.js'
import { prepareData } from './prepared-data.js'
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from './server.js'

/**
 * Connects to the PostgreSQL of the running server, or starts one if no server is running. For operator commands;
 * `stop` only stops a PostgreSQL that was started by this call.
 */
export async function attachEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const data = await prepareData(options)
    const host = (await readPidFile(data.cluster))?.socketDirectory ?? data.connection.host
    const connection = { ...data.connection, host }
    const client = await tryConnect(connection)
    if (typeof client === 'object') {
      const isServed = await isOwned(client)
      await client.end()
      if (isServed) return { connection, dataDir: data.dataDir, stop: async () => {} }
    }
  } catch (error) {
    throw error instanceof EmbeddedError ? error : explain(error, options.dataDir)
  }
  return startEmbedded(options)
}
