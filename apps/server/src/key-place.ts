import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ConnectionOptions } from '@collab-spaces/db'
import { knownServerKey, recordServerKey } from '@collab-spaces/operator'
import { BYTES, ServerKey } from './server-key.js'

export interface KeyPlace {
  /** The key in the settings. */
  readonly setting: ServerKey | undefined
  /** The directory of the key file; missing with an external database. */
  readonly directory: string | undefined
  readonly connection: ConnectionOptions
}

/**
 * Opens the server key. Null, with a warning, if there is none or it differs from the one recorded in the database: features
 * without secrets continue. The first start with an own data directory creates a key.
 */
export async function openServerKey(
  { setting, directory, connection }: KeyPlace,
  warn: (message: string) => void,
): Promise<ServerKey | null> {
  const known = await knownServerKey(connection)
  const key = setting ?? (directory === undefined ? null : await keyIn(directory, known !== undefined, warn))
  const name = setting || directory === undefined ? 'SERVER_KEY' : fileIn(directory)
  if (key === 'unreadable') return null
  if (key === null) {
    if (known === undefined) {
      warn(`${name} is not set, so ${OFF}; to change that, set the same on all servers (openssl rand -hex 32)`)
      return null
    }
    warn(`${name} is missing: this database has been used with a server key (${known}). ${WHAT_NEXT}`)
    return null
  }
  const recorded = known ?? (await recordServerKey(connection, key.fingerprint))
  if (recorded === key.fingerprint) return key
  warn(`${name} (${key.fingerprint}) is not the key that this database has been used with (${recorded}). ${WHAT_NEXT}`)
  return null
}

const OFF =
  'webhooks, tickets for streams, checkpoints, e-mail and browser notifications, passkeys, single sign-on and OAuth are off'
const WHAT_NEXT = `No server key is used, so ${OFF}, until you restore the old one, or accept a new one with "operate server-key forget"`

const fileIn = (directory: string) => join(directory, 'server-key')

/** Reads the key file, or creates it if no key was ever recorded. */
async function keyIn(
  directory: string,
  wasThere: boolean,
  warn: (message: string) => void,
): Promise<ServerKey | 'unreadable' | null> {
  const file = fileIn(directory)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    warn(`The server key cannot be read (${error.message}), so ${OFF}`)
    return undefined
  })
  if (text === undefined) return 'unreadable'
  if (text === null) return wasThere ? null : makeIn(file)
  const key = ServerKey.parse(text.trim())
  if (key) return key
  warn(`${file} is not a server key, which is 64 hexadecimal digits, so ${OFF}`)
  return 'unreadable'
}

/** Creates the key file atomically and durably, as a used key must not be lost. */
async function makeIn(file: string): Promise<ServerKey> {
  const text = randomBytes(BYTES).toString('hex')
  const draft = `${file}.new`
  await rm(draft, { force: true })
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${text}\n`)
    if (process.getuid?.() === 0) {
      const { uid, gid } = await stat(dirname(file))
      await handle.chown(uid, gid)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  const directory = await open(dirname(file), 'r')
  await directory.sync().finally(() => directory.close())
  return ServerKey.parse(text) as ServerKey
}
