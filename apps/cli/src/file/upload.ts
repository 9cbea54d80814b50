import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Client, File } from '@collab-spaces/client'
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

/** A file to upload. */
interface Chosen {
  readonly name: string
  readonly content: Uint8Array<ArrayBuffer>
}

async function chosen(path: string): Promise<Chosen> {
  if (path === '-') return { name: 'stdin', content: new Uint8Array(await buffer(process.stdin)) }
  try {
    return { name: basename(path), content: new Uint8Array(await readFile(path)) }
  } catch (error) {
    throw usage(`Cannot read ${path}`, (error as Error).message)
  }
}

/** Uploads files, each as soon as the one before it is there. All are read before the first is sent. */
export async function uploadAll(
  client: Client,
  space_id: string,
  paths: readonly string[],
  show: (name: string) => void,
): Promise<File[]> {
  const files: Chosen[] = []
  for (const path of paths) files.push(await chosen(path))
  const uploaded: File[] = []
  for (const { name, content } of files) {
    show(name)
    const contentType = TYPES[extname(name).toLowerCase()]
    uploaded.push(await client.upload(space_id, content, { name, contentType }))
  }
  return uploaded
}
