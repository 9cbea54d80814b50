import { SpacesError } from '@collab-spaces/client'
import type { BlobStore } from '../../shared/browser/blob-store'
import { randomKey } from '../../shared/browser/random-key'
import { Cell } from '../../shared/cell'
import { explainShort, hasStatus } from '../../shared/explain'
import { isUnanswered, nextRetry, noteFailure } from '../../shared/session/connectivity'
import { contentTypeOf, validName } from './file-name'
import { attachTexts } from './texts'

/** A file as a message names it before it is sent. */
export interface AttachedFile {
  /** The key of its upload. */
  readonly key: string
  readonly name: string
  readonly content_type: string
  readonly size: number
}

/** The upload of a file for a message. */
export interface Upload extends AttachedFile {
  readonly spaceId: string
  /** The draft that it belongs to; null once its message is in the outbox. */
  readonly draft: string | null
  readonly state: 'waiting' | 'uploading' | 'done' | 'failed'
  /** The ID that the server has given it, and when. */
  readonly fileId: string | null
  readonly doneAt: number
  /** The error message. */
  readonly failure: string | null
}

interface SendOptions {
  readonly signal: AbortSignal
  readonly onProgress: (sent: number) => void
}

/** Uploads a file as the account that the queue belongs to. Returns its ID. */
export type SendFile = (upload: Upload, blob: Blob, options: SendOptions) => Promise<string>

/** More would leave the page no connection, as browsers open six. */
const MAX_AT_A_TIME = 2
/** The server deletes a file that no message names after a day. Repeating an upload is no second file. */
const FRESH_MS = 12 * 3_600_000

/** The maximum size of a file in bytes; null until the server has refused a larger one, as it names the limit then. */
export const fileLimit = new Cell<number | null>(null)

/**
 * The files that one account attaches to messages. They are uploaded while the message is written, and again after a lost
 * connection, under the same idempotency key, so that each arrives once. They survive a reload of the tab: their bytes in
 * the blob store, the rest in the storage of the tab.
 */
export class UploadQueue {
  readonly uploads: Cell<readonly Upload[]>
  /** The bytes sent so far, by key. */
  readonly progress = new Cell<ReadonlyMap<string, number>>(new Map())
  readonly #running = new Map<string, AbortController>()
  /** The files added since the page loaded, of which some are not stored yet. */
  readonly #added = new Map<string, File>()

  constructor(
    private readonly storage: Storage,
    private readonly name: string,
    private readonly blobs: BlobStore,
    private readonly send: SendFile,
  ) {
    this.uploads = new Cell(this.#stored())
    this.#next()
  }

  add(spaceId: string, draft: string, files: readonly File[]): void {
    this.#set([...this.uploads.value, ...files.map((file) => this.#uploadOf(spaceId, draft, file))])
    this.#next()
  }

  /** Returns the bytes of an upload; null if this browser has lost them. */
  async blobOf(key: string): Promise<Blob | null> {
    return this.#added.get(key) ?? this.blobs.get(key)
  }

  /** Returns the files of a draft as its message takes them: they leave the draft. */
  take(draft: string): readonly AttachedFile[] {
    const taken = this.uploads.value.filter((upload) => upload.draft === draft)
    this.#set(this.uploads.value.map((upload) => (upload.draft === draft ? { ...upload, draft: null } : upload)))
    return taken.map(({ key, name, content_type, size }) => ({ key, name, content_type, size }))
  }

  retry(key: string): void {
    this.#change(key, { state: 'waiting', failure: null })
    this.#next()
  }

  /** Cancels uploads, and forgets them. */
  remove(keys: readonly string[]): void {
    for (const key of keys) {
      this.#running.get(key)?.abort()
      this.#added.delete(key)
      void this.blobs.remove(key)
    }
    this.#set(this.uploads.value.filter(({ key }) => !keys.includes(key)))
  }

  clear(): void {
    this.remove(this.uploads.value.map(({ key }) => key))
  }

  /** Resolves to the IDs of files once they are uploaded, and retries those that failed. Rejects if one fails. */
  idsOf(files: readonly AttachedFile[], signal: AbortSignal): Promise<readonly string[]> {
    const isWanted = ({ key }: Upload) => files.some((file) => file.key === key)
    const isStale = ({ state, doneAt }: Upload) => state === 'done' && Date.now() - doneAt > FRESH_MS
    for (const upload of this.uploads.value.filter(isWanted)) {
      if (upload.state === 'failed' || isStale(upload)) this.retry(upload.key)
    }
    return new Promise((resolve, reject) => {
      const look = () => {
        const uploads = files.map(({ key, name }) => this.uploads.value.find((one) => one.key === key) ?? lost(name))
        const failed = uploads.find(({ state }) => state === 'failed')
        if (failed) settle(() => reject(notUploaded(failed)))
        else if (uploads.every(({ state }) => state === 'done')) settle(() => resolve(uploads.flatMap(idOf)))
      }
      const leave = () => settle(() => reject(signal.reason))
      const settle = (act: () => void) => {
        stop()
        signal.removeEventListener('abort', leave)
        act()
      }
      const stop = this.uploads.subscribe(look)
      signal.addEventListener('abort', leave)
      look()
    })
  }

  #uploadOf(spaceId: string, draft: string, file: File): Upload {
    const key = randomKey()
    const { value: limit } = fileLimit
    const isTooLarge = limit !== null && file.size > limit
    this.#added.set(key, file)
    void this.blobs.put(key, this.name, file)
    return {
      key,
      name: validName(file.name),
      content_type: contentTypeOf(file),
      size: file.size,
      spaceId,
      draft,
      state: isTooLarge ? 'failed' : 'waiting',
      fileId: null,
      doneAt: 0,
      failure: isTooLarge ? attachTexts.tooLarge(limit) : null,
    }
  }

  #next(): void {
    const waiting = this.uploads.value.find(({ key, state }) => state === 'waiting' && !this.#running.has(key))
    if (!waiting || this.#running.size >= MAX_AT_A_TIME) return
    const { key } = waiting
    const leave = new AbortController()
    this.#running.set(key, leave)
    void this.#deliver(waiting, leave.signal).finally(() => {
      this.#running.delete(key)
      this.#report(key, 0)
      this.#next()
    })
    this.#next()
  }

  async #deliver(upload: Upload, signal: AbortSignal): Promise<void> {
    const { key } = upload
    const blob = await this.blobOf(key)
    if (!blob) return this.#change(key, { state: 'failed', failure: attachTexts.gone })
    while (!signal.aborted) {
      this.#change(key, { state: 'uploading' })
      try {
        const fileId = await this.send(upload, blob, { signal, onProgress: (sent) => this.#report(key, sent) })
        return this.#change(key, { state: 'done', fileId, doneAt: Date.now() })
      } catch (error) {
        if (signal.aborted) return
        if (!isUnanswered(error)) return this.#change(key, { state: 'failed', failure: failureIn(error) })
        noteFailure(error)
        this.#change(key, { state: 'waiting' })
        this.#report(key, 0)
        await nextRetry()
      }
    }
  }

  #report(key: string, sent: number): void {
    const progress = new Map(this.progress.value)
    if (sent === 0) progress.delete(key)
    else progress.set(key, sent)
    this.progress.set(progress)
  }

  #change(key: string, change: Partial<Upload>): void {
    this.#set(this.uploads.value.map((one) => (one.key === key ? { ...one, ...change } : one)))
  }

  #set(uploads: readonly Upload[]): void {
    if (uploads.length === 0) this.storage.removeItem(this.name)
    else this.storage.setItem(this.name, JSON.stringify(uploads))
    this.uploads.set(uploads)
  }

  /** Returns the stored uploads; those that were under way begin again. */
  #stored(): readonly Upload[] {
    try {
      const uploads = JSON.parse(this.storage.getItem(this.name) ?? '[]') as Upload[]
      return uploads.map((one) => (one.state === 'uploading' ? { ...one, state: 'waiting' } : one))
    } catch {
      return []
    }
  }
}

const idOf = ({ fileId }: Upload) => fileId ?? []

/** A file of a message whose upload this tab does not know. */
const lost = (name: string) => ({ name, state: 'failed', fileId: null, failure: attachTexts.gone }) as Upload

const notUploaded = ({ name, failure }: Upload) =>
  new SpacesError({ status: 400, detail: attachTexts.notUploaded(name, failure ?? ''), mayPass: false })

function failureIn(error: unknown): string {
  // Such as a folder, or a file that was moved meanwhile.
  if (!(error instanceof SpacesError)) return attachTexts.unreadable
  const [, limit] = (hasStatus(error, 413) && /larger than (\d+) bytes/.exec(error.detail)) || []
  if (limit === undefined) return explainShort(error)
  fileLimit.set(Number(limit))
  return attachTexts.tooLarge(Number(limit))
}
