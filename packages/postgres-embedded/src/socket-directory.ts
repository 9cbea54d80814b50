import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './account.js'
import { privateDirectory } from './private-directory.js'
import { shortHash } from './root-access.js'

/** Only part of the socket's name: PostgreSQL does not listen on a network. */
export const PORT = 5432

/** The maximum path length of a socket, in bytes. The kernel allows 108 on Linux and 104 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100

/** Returns the directory of the socket: next to the data, or in the temporary directory if that path is too long. */
export function socketDirectoryFor(dataDir: string, temporary = tmpdir()): string {
  const beside = join(dataDir, 'run')
  const fits = Buffer.byteLength(join(beside, `.s.PGSQL.${PORT}`)) <= MAX_SOCKET_PATH_BYTES
  return fits ? beside : join(temporary, `collaboration-spaces-${shortHash(dataDir)}`)
}

/** Creates the directory, and refuses one of another account. */
export async function makeSocketDirectory(dataDir: string, account: Account | undefined): Promise<string> {
  const directory = socketDirectoryFor(dataDir)
  await privateDirectory(directory, account)
  return directory
}
