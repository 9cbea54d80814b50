import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, open, rm, stat } from 'node:fs/promises'
import type { Client, File } from '@collab-spaces/client'
import { failed, usage } from '../failure.js'
import { cutToBytes } from '../input/utf8.js'

/** Characters that are hidden, change the direction of what follows, or mean something in paths of some system. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu

/** What file systems allow, without the ending of an unfinished download. */
const MAX_NAME_BYTES = 250

/** Returns the name of a file as one that is safe on this machine: neither hidden, an option, a path, nor too long. */
export function safeName({ name, file_id }: Pick<File, 'name' | 'file_id'>): string {
  const safe = name.replace(UNSAFE, '_').replace(/^[.\-\s]+|[.\s]+$/g, '')
  if (Buffer.byteLength(safe) <= MAX_NAME_BYTES) return safe === '' ? file_id : safe
  const [extension = ''] = /\.[^.]{1,16}$/.exec(safe) ?? []
  return cutToBytes(safe, MAX_NAME_BYTES - Buffer.byteLength(extension)) + extension
}

const sizeOf = async (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )

/** What a download tells of its progress. */
export type OnProgress = (bytes: number) => void

/**
 * Downloads a file to a path where none is. What an interrupted download has left beside it is continued. Fails for bytes
 * that are not those of the hash.
 */
export async function downloadTo(
  client: Client,
  file: File,
  path: string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: OnProgress },
): Promise<void> {
  if ((await sizeOf(path)) !== null) throw usage(`${path} exists already`, 'Choose another name with --output')
  const part = `${path}.part`
  let from = (await sizeOf(part)) ?? 0
  if (from > file.size) {
    await rm(part)
    from = 0
  }
  const handle = await open(part, 'a')
  try {
    if (from < file.size) {
      for await (const piece of client.download(file.space_id, file.file_id, { from, signal })) {
        await handle.write(piece)
        from += piece.length
        onProgress(from)
      }
    }
  } finally {
    await handle.close()
  }
  await requireHash(part, file)
  // Unlike a rename, a link never replaces a file.
  await link(part, path).catch((error: unknown) => {
    throw usage(`Cannot create ${path}`, (error as Error).message)
  })
  await rm(part)
}

async function requireHash(path: string, { sha256 }: File): Promise<void> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  if (hash.digest('hex') === sha256) return
  await rm(path)
  throw failed('The bytes are not those of the file: its SHA-256 differs', 'What was downloaded is deleted: try again')
}
