import { type ByteRange, CHUNK_BYTES, type TenantId } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'
import { pulling } from '../log/pull.js'

/** The key of the bytes of a file. The id is a UUID of version 7: it has the time at which the upload began. */
export interface ContentKey {
  readonly tenantId: TenantId
  readonly contentId: string
}

/** Bytes to store, in chunks of `CHUNK_BYTES`, but for the last one. Each is valid until the next one is requested. */
export interface ContentSource {
  /** Null if it is unknown. */
  readonly size: number | null
  readonly chunks: AsyncIterable<Buffer>
}

/** Runs work for one chunk when it is its turn. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>

/**
 * A place for the bytes of files. They are written before the record of a content and removed after it, so what has no
 * record is garbage.
 */
export interface ContentStore<Key> {
  /** Writes all bytes, or rejects. */
  write(key: Key, source: ContentSource, turn: Turn): Promise<void>
  /** Yields the bytes of a part. Ends early where they are not here, or no longer. */
  read(key: Key, part: ByteRange, turn: Turn): AsyncIterable<Buffer>
  /** Idempotent. */
  remove(key: Key): Promise<void>
  /** Returns some keys in order, after a given one; none at the end. */
  list(after: Key | null): Promise<Key[]>
}

/** Gathers pieces of any size into chunks, all in one buffer: a chunk is gone when the next one is requested. */
export async function* inChunks(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  let length = 0
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const copied = piece.copy(chunk, length, at)
      at += copied
      length += copied
      if (length < CHUNK_BYTES) continue
      yield chunk
      length = 0
    }
  }
  if (length > 0) yield chunk.subarray(0, length)
}

/** The bucket is unreachable, or refuses what it is asked. */
export class BucketFault extends Error {
  override readonly name = 'BucketFault'
}

/** A bucket has an object for each content, by its id. */
export type ObjectStore = ContentStore<string>

export type Contents = ReturnType<typeof contentsOf>

/**
 * Stores contents in the bucket, if there is one, and otherwise in PostgreSQL. With a bucket, PostgreSQL has those that are
 * from the time before it, or moved or imported here, or of unknown size, until the housekeeping moves them.
 */
export function contentsOf(
  { long }: Pick<StoreContext, 'long'>,
  chunks: ContentStore<ContentKey>,
  bucket: ObjectStore | null,
) {
  /** Tenants share an object after one was founded with spaces of the other. */
  const isRecorded = async (contentId: string): Promise<boolean> => {
    const { rows } = await long.query('SELECT FROM file_contents WHERE content_id = $1 LIMIT 1', [contentId])
    return rows.length > 0
  }

  return {
    write: (key: ContentKey, source: ContentSource, turn: Turn): Promise<void> =>
      bucket && source.size !== null ? bucket.write(key.contentId, source, turn) : chunks.write(key, source, turn),

    /** Yields the bytes of a part. Ends early if they are removed meanwhile. */
    read(key: ContentKey, { from, to }: ByteRange, turn: Turn): AsyncIterable<Buffer> {
      let at = from
      let isInBucket = false
      let source = chunks.read(key, { from, to }, turn)[Symbol.asyncIterator]()
      const pull = async (): Promise<Buffer | null> => {
        const { done, value } = await source.next()
        if (!done) {
          at += value.length
          return value
        }
        if (!bucket || isInBucket || at >= to) return null
        isInBucket = true
        source = bucket.read(key.contentId, { from: at, to }, turn)[Symbol.asyncIterator]()
        return pull()
      }
      return pulling(pull, () => source.return?.())
    },

    /** Removes the bytes of contents without a record. */
    async remove(...keys: readonly ContentKey[]): Promise<void> {
      try {
        for (const key of keys) {
          await chunks.remove(key)
          if (bucket && !(await isRecorded(key.contentId))) await bucket.remove(key.contentId)
        }
      } catch {
        // The housekeeping removes what is left.
      }
    },
  }
}
