import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConnectionOptions } from '@collab-spaces/db'
import { Signer } from '@collab-spaces/merkle'
import { knownServerKey } from '@collab-spaces/operator'
import { LOG_SIGNATURES, ServerKey } from '../server-key.js'
import type { Settings } from '../settings.js'

/** The signer of histories, from the server key that this database is used with. An embedded one has it in its directory. */
export async function logSignerOf(
  { serverKey }: Settings,
  connection: ConnectionOptions,
  directory: string | undefined,
): Promise<Signer | null> {
  const key = serverKey ?? (directory === undefined ? undefined : await keyIn(directory))
  if (key?.fingerprint !== (await knownServerKey(connection))) return null
  return key ? new Signer(key.derive(LOG_SIGNATURES)) : null
}

async function keyIn(directory: string): Promise<ServerKey | undefined> {
  const text = await readFile(join(directory, 'server-key'), 'utf8').catch(() => '')
  return ServerKey.parse(text.trim())
}
