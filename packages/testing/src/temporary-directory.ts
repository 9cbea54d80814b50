import { chmod, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a directory. Every account may pass through it, since root runs PostgreSQL as another account. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'spaces-')))
  await chmod(directory, 0o755)
  return directory
}
