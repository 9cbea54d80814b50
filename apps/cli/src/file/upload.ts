import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Client, UploadContent } from '@collab-spaces/client'
import { usage } from '../failure.js'

/** The types of files that people exchange most; any other is a sequence of bytes. */
const TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.zip': 'application/zip',
}

/** Returns the type of a file by its name, if it is known. */
export const contentTypeOf = (name: string): string | undefined => TYPES[extname(name).toLowerCase()]

/** A file to upload. */
interface LocalFile {
  readonly name: string
  readonly content: UploadContent
  readonly size?: number
}

async function chosen(path: string): Promise<LocalFile> {
  if (path === '') throw usage('The name of a file is empty', 'Use a path, or - for standard input')
  if (path === '-') return { name: 'stdin', content: process.stdin }
  try {
    await access(path, constants.R_OK)
    const found = await stat(path)
    if (found.isDirectory()) throw new Error('it is a directory')
    // A pipe cannot be read again, and has no size.
    if (!found.isFile()) return { name: basename(path), content: createReadStream(path) }
    return { name: basename(path), content: () => createReadStream(path), size: found.size }
  } catch (error) {
    throw usage(`Cannot read ${path}`, (error as Error).message)
  }
}

/** Called with the name of a file, and how many of its bytes are sent, of how many, if that is known. */
export type OnUpload = (name: string, sent: number, size: number | undefined) => void

type UploadOptions = { readonly onUpload: OnUpload; readonly key?: string | undefined }

/**
 * Uploads files in turn, and returns their IDs. All are looked for before the first is sent. With a key, a repetition
 * uploads none again.
 */
export async function uploadAll(client: Client, space_id: string, paths: readonly string[], options: UploadOptions) {
  const { onUpload, key } = options
  const files: LocalFile[] = []
  for (const path of paths) files.push(await chosen(path))
  const file_ids: string[] = []
  for (const [index, { name, content, size }] of files.entries()) {
    const onProgress = (sent: number) => onUpload(name, sent, size)
    onProgress(0)
    const idempotencyKey = key && createHash('sha256').update(`${key}\n${index}\n${name}`).digest('hex')
    const file = { name, contentType: contentTypeOf(name), size, onProgress, idempotencyKey }
    file_ids.push((await client.upload(space_id, content, file)).file_id)
  }
  return file_ids
}
