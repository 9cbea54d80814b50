const DATABASE = 'spaces.files'
const STORE = 'blobs'

/** Blobs under keys, each with an owner. */
export interface BlobStore {
  put(key: string, owner: string, blob: Blob): Promise<void>
  get(key: string): Promise<Blob | null>
  remove(key: string): Promise<void>
  removeOf(owner: string): Promise<void>
}

interface StoredBlob {
  readonly owner: string
  readonly blob: Blob
  readonly storedAt: number
}

/** The age at which a blob is removed: its tab was closed, and not opened again. */
const MAX_AGE_MS = 7 * 86_400_000

/** The blobs that this browser did not store, such as without room for them. They do not survive a reload. */
const unstored = new Map<string, StoredBlob>()

/** The blobs that this browser keeps, also while its tabs are closed. */
export const blobStore: BlobStore = {
  async put(key, owner, blob) {
    const stored = { owner, blob, storedAt: Date.now() }
    try {
      await run('readwrite', (store) => store.put(stored, key))
    } catch {
      unstored.set(key, stored)
    }
  },

  async get(key) {
    const stored =
      unstored.get(key) ?? (await run<StoredBlob | undefined>('readonly', (store) => store.get(key)).catch(none))
    return stored?.blob ?? null
  },

  async remove(key) {
    unstored.delete(key)
    await run('readwrite', (store) => store.delete(key)).catch(none)
  },

  removeOf: (owner) => removeWhere((stored) => stored.owner === owner),
}

const none = () => undefined

/** Removes the blobs of tabs that were closed long ago. */
export const removeOldBlobs = (): Promise<void> => removeWhere(({ storedAt }) => storedAt < Date.now() - MAX_AGE_MS)

async function removeWhere(isGone: (stored: StoredBlob) => boolean): Promise<void> {
  for (const [key, stored] of unstored) if (isGone(stored)) unstored.delete(key)
  await run('readwrite', (store) => {
    const request = store.openCursor()
    request.onsuccess = () => {
      const { result } = request
      if (!result) return
      if (isGone(result.value as StoredBlob)) result.delete()
      result.continue()
    }
    return request
  }).catch(none)
}

let opened: Promise<IDBDatabase> | null = null

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = window.indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const transaction = (await database()).transaction(STORE, mode)
  return new Promise((resolve, reject) => {
    const request = act(transaction.objectStore(STORE))
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = () => reject(transaction.error)
  })
}
