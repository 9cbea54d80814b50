import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import type { ContentBlock } from '@agentclientprotocol/sdk'
import {
  type Client,
  filesOf,
  type InboxItem,
  imageTypeOf,
  isReadByModels,
  LIMITS,
  MAX_MODEL_IMAGE_BYTES,
  SpacesError,
} from '@collab-spaces/client'
import { safeName } from '../file/download.js'

/** The directory below that of the agent with the files of the events that it works on. */
const RECEIVED = 'received'

/** The directory of the files of one batch, relative to that in which the agent works. */
export const receivedDirectory = (key: string): string => `${RECEIVED}/${key.slice(0, 12)}`

/**
 * Downloads the files of events, at most those of one event, and returns them as parts of a prompt: links, and images as
 * such if the agent takes them, of 2 MiB altogether.
 */
export async function receive(
  client: Client,
  batch: readonly InboxItem[],
  { cwd, key, takesImages, signal }: { cwd: string; key: string; takesImages: boolean; signal: AbortSignal },
): Promise<ContentBlock[]> {
  const files = batch.flatMap(({ event }) => filesOf(event).map((file) => ({ ...file, space_id: event.space_id })))
  const directory = join(cwd, receivedDirectory(key))
  await removeReceived(cwd, key)
  const parts: ContentBlock[] = []
  let room = takesImages ? MAX_MODEL_IMAGE_BYTES : 0
  for (const [at, { space_id, file_id, name, size }] of files.slice(-LIMITS.eventFiles).entries()) {
    await mkdir(directory, { recursive: true })
    const path = join(directory, `${at + 1}-${safeName({ name, file_id })}`)
    try {
      await pipeline(client.download(space_id, file_id, { signal }), createWriteStream(path, { flags: 'wx' }))
    } catch (error) {
      if (!isDeleted(error)) throw error
      await rm(path, { force: true })
      continue
    }
    const uri = pathToFileURL(path).href
    parts.push({ type: 'resource_link', uri, name, size })
    const image = size <= room ? await imageIn(path) : null
    if (image) {
      parts.push({ type: 'image', uri, ...image })
      room -= size
    }
  }
  return parts
}

/** Removes the files: those of a space may be erased at any time. */
export async function removeReceived(cwd: string, key: string): Promise<void> {
  await rm(join(cwd, receivedDirectory(key)), { recursive: true, force: true }).catch(() => {})
  // Fails while the files of another batch are there.
  await rmdir(join(cwd, RECEIVED)).catch(() => {})
}

/** An image that models read, by its bytes: what else a sender names so would fail the prompt. */
async function imageIn(path: string): Promise<{ readonly data: string; readonly mimeType: string } | null> {
  const bytes = await readFile(path)
  const mimeType = imageTypeOf(bytes)
  return isReadByModels(mimeType) ? { data: bytes.toString('base64'), mimeType } : null
}

const isDeleted = (error: unknown) => error instanceof SpacesError && error.status === 404
