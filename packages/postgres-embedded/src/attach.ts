import { type ConnectionOptions, tryConnect } from './connection.js'
import { EmbeddedError, explain } from './errors.js'
import { isOwned, stay, untilAlone } from './owner-lock.js'
import { readPidFile } from './postmaster.js'
import { prepareData } from './prepared-data.js'
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from './server.js'

/**
 * Connects to the PostgreSQL of the running server, or starts one if no server is running. For operator commands;
 * `stop` only stops a PostgreSQL that was started by this call, once other commands have ended.
 */
export async function attachEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const data = await prepareData(options)
    const host = (await readPidFile(data.cluster))?.socketDirectory ?? data.connection.host
    const connection = { ...data.connection, host }
    const client = await tryConnect(connection)
    if (typeof client === 'object') {
      // An owner that was about to stop PostgreSQL does so meanwhile.
      const stays =
        (await isOwned(client)) &&
        (await stay(client).then(
          () => true,
          () => false,
        ))
      if (stays) return { connection, dataDir: data.dataDir, stop: () => client.end() }
      await client.end()
    }
  } catch (error) {
    throw error instanceof EmbeddedError ? error : explain(error, options.dataDir)
  }
  const own = await startEmbedded(options)
  return { ...own, stop: (within) => untilAloneAt(own.connection).then(() => own.stop(within)) }
}

async function untilAloneAt(connection: ConnectionOptions): Promise<void> {
  const client = await tryConnect(connection).catch(() => null)
  if (client === null || typeof client !== 'object') return
  await untilAlone(client).catch(() => {})
  await client.end()
}
