import { SpacesError } from '@collab-spaces/client'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { BlobStore } from '../../shared/browser/blob-store'
import type { UploadQueue as QueueClass, SendFile, Upload } from './upload-queue'

function memory() {
  const items = new Map<string, string>()
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
  const stored = new Map<string, Blob>()
  const blobs: BlobStore = {
    put: async (key, _owner, blob) => void stored.set(key, blob),
    get: async (key) => stored.get(key) ?? null,
    remove: async (key) => void stored.delete(key),
    removeOf: async () => stored.clear(),
  }
  return { items, storage: storage as Storage, stored, blobs }
}

/** A server whose answers the test controls. */
function slow() {
  const sent: { upload: Upload; answer: () => void; refuse: (error: unknown) => void; signal: AbortSignal }[] = []
  const send: SendFile = (upload, _blob, { signal, onProgress }) =>
    new Promise((resolve, reject) => {
      onProgress(1)
      sent.push({ upload, signal, answer: () => resolve(`fil_${upload.name}`), refuse: reject })
      signal.addEventListener('abort', () => reject(new Error('Aborted')))
    })
  return { sent, send }
}

const file = (name: string) => new File(['some bytes'], name, { type: 'text/plain' })
const patience = () => new AbortController().signal

describe('an upload queue', () => {
  let UploadQueue: typeof QueueClass
  beforeAll(async () => {
    // Connectivity depends on browser events.
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('navigator', { onLine: true })
    UploadQueue = (await import('./upload-queue')).UploadQueue
    vi.unstubAllGlobals()
  })

  const statesOf = ({ uploads }: QueueClass) => uploads.value.map(({ state }) => state)

  it('uploads two files at a time, and resolves to their ids in the order of the message', async () => {
    const { storage, blobs, stored, items } = memory()
    const { sent, send } = slow()
    const queue = new UploadQueue(storage, 'uploads', blobs, send)
    queue.add('plans', 'draft', [file('a'), file('b'), file('c')])
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    expect(statesOf(queue)).toEqual(['uploading', 'uploading', 'waiting'])
    expect(queue.progress.value.get(sent[0]?.upload.key ?? '')).toBe(1)
    const files = queue.take('draft')
    expect(queue.take('draft')).toEqual([])
    const ids = queue.idsOf(files, patience())
    sent[1]?.answer()
    await vi.waitFor(() => expect(sent).toHaveLength(3))
    sent[0]?.answer()
    sent[2]?.answer()
    expect(await ids).toEqual(['fil_a', 'fil_b', 'fil_c'])
    queue.remove(files.map(({ key }) => key))
    expect(items.size).toBe(0)
    expect(stored.size).toBe(0)
  })

  it('resumes after a reload, under the same key', async () => {
    const { storage, blobs } = memory()
    const before = slow()
    new UploadQueue(storage, 'uploads', blobs, before.send).add('plans', 'draft', [file('a')])
    await vi.waitFor(() => expect(before.sent).toHaveLength(1))
    const after = slow()
    const queue = new UploadQueue(storage, 'uploads', blobs, after.send)
    await vi.waitFor(() => expect(after.sent).toHaveLength(1))
    expect(after.sent[0]?.upload.key).toBe(before.sent[0]?.upload.key)
    after.sent[0]?.answer()
    await vi.waitFor(() => expect(statesOf(queue)).toEqual(['done']))
  })

  it('fails after a reload if the bytes are not stored', async () => {
    const { storage, blobs, stored } = memory()
    const { send } = slow()
    new UploadQueue(storage, 'uploads', blobs, send).add('plans', 'draft', [file('a')])
    stored.clear()
    const queue = new UploadQueue(storage, 'uploads', blobs, send)
    await vi.waitFor(() => expect(queue.uploads.value[0]?.failure).toContain('attach it again'))
  })

  it('cancels a removed upload, and starts the next', async () => {
    const { storage, blobs } = memory()
    const { sent, send } = slow()
    const queue = new UploadQueue(storage, 'uploads', blobs, send)
    queue.add('plans', 'draft', [file('a'), file('b'), file('c')])
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    queue.remove([sent[0]?.upload.key ?? ''])
    expect(sent[0]?.signal.aborted).toBe(true)
    await vi.waitFor(() => expect(sent.map(({ upload }) => upload.name)).toEqual(['a', 'b', 'c']))
  })

  it('shows why a file was refused, retries it with its message, and learns the size limit', async () => {
    const { storage, blobs } = memory()
    const { sent, send } = slow()
    const queue = new UploadQueue(storage, 'uploads', blobs, send)
    queue.add('plans', 'draft', [file('a')])
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    sent[0]?.refuse(new SpacesError({ status: 413, detail: 'The file is larger than 5 bytes', mayPass: false }))
    await vi.waitFor(() => expect(queue.uploads.value[0]?.failure).toContain('Too large'))
    const ids = queue.idsOf(queue.take('draft'), patience())
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    sent[1]?.refuse(new SpacesError({ status: 409, detail: 'Space is not active', mayPass: false }))
    await expect(ids).rejects.toMatchObject({ detail: 'a: Space is not active' })
    queue.add('plans', 'draft', [file('b')])
    expect(queue.uploads.value[1]).toMatchObject({ state: 'failed', failure: expect.stringContaining('Too large') })
    expect(sent).toHaveLength(2)
  })
})
