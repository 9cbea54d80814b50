import { resolve } from 'node:path'
import { startEmbedded } from '@collab-spaces/postgres-embedded'

/**
 * The PostgreSQL at `DATABASE_URL`, or else one that this program runs in `DATA_DIR`.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {(line: string) => void} say
 */
export async function openDatabase({ DATABASE_URL, DATA_DIR }, say) {
  if (DATABASE_URL) return { url: DATABASE_URL, stop: async () => {} }
  const server = await startEmbedded({
    dataDir: resolve(DATA_DIR || 'data'),
    explicitDataDir: Boolean(DATA_DIR),
    log: () => {},
    onLost: (error) => say(error.message),
  })
  const { host, port, user, password, database } = server.connection
  const socket = encodeURIComponent(host)
  return {
    url: `postgres://${user}:${encodeURIComponent(password)}@${socket}:${port}/${database}`,
    stop: () => server.stop(),
  }
}
