import { blobStore, removeOldBlobs } from '../../shared/browser/blob-store'
import { progressFetch } from '../../shared/browser/progress-fetch'
import { noteAnswer } from '../../shared/session/connectivity'
import { callAs } from '../../shared/session/session'
import { type SendFile, UploadQueue } from './upload-queue'

const PREFIX = 'spaces.uploads'

const nameOf = (actorId: string) => `${PREFIX} ${actorId}`

/** By account. Queues outlive sessions, so none keeps a client. */
const queues = new Map<string, UploadQueue>()

/** Returns the upload queue of an account: one instance per page, also after a key change. */
export function uploadsOf(actorId: string): UploadQueue {
  const known = queues.get(actorId)
  if (known) return known
  if (queues.size === 0) void removeOldBlobs()
  const queue = new UploadQueue(window.sessionStorage, nameOf(actorId), blobStore, sendAs(actorId))
  queues.set(actorId, queue)
  return queue
}

/** Deletes the uploads of an account that has signed out. */
export function forgetUploads(actorId: string): void {
  queues.get(actorId)?.clear()
  queues.delete(actorId)
  window.sessionStorage.removeItem(nameOf(actorId))
  void blobStore.removeOf(nameOf(actorId))
}

const sendAs =
  (actorId: string): SendFile =>
  async ({ spaceId, name, content_type: contentType, key: idempotencyKey }, blob, { signal, onProgress }) => {
    const options = { name, contentType, idempotencyKey, signal }
    const upload = await callAs(
      actorId,
      (client) => client.upload(spaceId, blob, options),
      progressFetch((sent) => onProgress(sent)),
    )
    noteAnswer()
    return upload.file_id
  }
