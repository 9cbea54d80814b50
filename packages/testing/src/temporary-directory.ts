import { chmod, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new directory. Every account may pass through it, as PostgreSQL is run by another account when we are root. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'spaces-')))
  await chmod(directory, 0o755)
  return directory
}
