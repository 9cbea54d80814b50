import { LIMITS } from '@collab-spaces/domain'
import { isInService } from '../access/in-service.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import { Prisma } from '../generated/client.js'
import type { ContentKey, ContentStore, Contents, ObjectStore, Turn } from './content.js'

/** The maximum number of files, and of contents, that one step of the housekeeping removes. */
const SWEEP_SIZE = 200
/** The age at which bytes without a record are garbage: no upload takes as long. */
const MAX_UPLOAD_MINUTES = 60

/** Whether an upload with this id has ended. The first 48 bits of an id are the time, in milliseconds. */
const hasEnded = (contentId: string) =>
  `('x' || left(replace(${contentId}::text, '-', ''), 12))::bit(48)::int8
     < extract(epoch FROM now() - interval '${MAX_UPLOAD_MINUTES} minutes') * 1000`

const AT_ONCE: Turn = (work) => work()

interface Places {
  readonly contents: Contents
  readonly chunks: ContentStore<ContentKey>
  readonly bucket: ObjectStore | null
}

/** The housekeeping of files. */
export const fileSweeps = (
  { prisma, long }: Pick<StoreContext, 'prisma' | 'long'>,
  { contents, chunks, bucket }: Places,
) => ({
  /** Deletes some files that no event has named in time. Returns whether more may be due. */
  async deleteUnattached(): Promise<boolean> {
    const [count, keys] = await prisma.$transaction(async (tx) => {
      const gone = await tx.$queryRaw<PossibleContent[]>`
        DELETE FROM files WHERE (tenant_id, space_id, file_id) IN (
          SELECT f.tenant_id, f.space_id, f.file_id FROM files f
          WHERE f.event_id IS NULL AND f.created_at < now() - make_interval(hours => ${LIMITS.unattachedHours}::int)
            AND ${Prisma.raw(isInService('f.tenant_id'))}
          ORDER BY f.created_at LIMIT ${SWEEP_SIZE} FOR UPDATE OF f SKIP LOCKED
        ) RETURNING tenant_id AS "tenantId", content_id AS "contentId"`
      return [gone.length, await forgetContents(tx, gone)] as const
    })
    await contents.remove(...keys)
    return count === SWEEP_SIZE
  },

  /**
   * Removes chunks without a record among the next contents, and moves those with one to the bucket, if there is one.
   * Returns the last of these contents; null at the end.
   */
  async sweepChunks(after: ContentKey | null): Promise<ContentKey | null> {
    const keys = await chunks.list(after)
    const { rows } = await long.query<ContentKey & { readonly size: number | null }>(
      `SELECT k.tenant_id AS "tenantId", k.content_id AS "contentId", c.size
       FROM unnest($1::uuid[], $2::uuid[]) AS k(tenant_id, content_id)
       LEFT JOIN file_contents c USING (tenant_id, content_id)
       WHERE ${hasEnded('k.content_id')} AND ${isInService('k.tenant_id')}`,
      [keys.map(({ tenantId }) => tenantId), keys.map(({ contentId }) => contentId)],
    )
    for (const { size, ...key } of rows) {
      if (size === null) await chunks.remove(key)
      else if (bucket) {
        await bucket.write(key.contentId, { size, chunks: chunks.read(key, { from: 0, to: size }, AT_ONCE) }, AT_ONCE)
        await chunks.remove(key)
      }
    }
    return keys.at(-1) ?? null
  },

  /** Removes objects without a record among the next ones. Returns the last of these; null at the end. */
  async sweepBucket(after: string | null): Promise<string | null> {
    const ids = bucket ? await bucket.list(after) : []
    const { rows } = await long.query<{ readonly id: string }>(
      `SELECT id FROM unnest($1::uuid[]) AS id
       WHERE ${hasEnded('id')} AND NOT EXISTS (SELECT FROM file_contents c WHERE c.content_id = id)`,
      [ids],
    )
    for (const { id } of rows) await bucket?.remove(id)
    return ids.at(-1) ?? null
  },
})

/** The content of a file, or null after its deletion. */
export type PossibleContent = Pick<ContentKey, 'tenantId'> & { readonly contentId: string | null }

/** Deletes the records of the contents among these that no file has. Returns their keys. */
export async function forgetContents(tx: Transaction, files: readonly PossibleContent[]): Promise<ContentKey[]> {
  const [tenantIds, contentIds] = [files.map((file) => file.tenantId), files.map((file) => file.contentId)]
  const keys = Prisma.sql`(SELECT * FROM unnest(${tenantIds}::uuid[], ${contentIds}::uuid[]))`
  // Waits for files that are just getting one of them, which the next statement then sees. In order, as others may
  // forget the same ones.
  await tx.$executeRaw`
    SELECT FROM file_contents WHERE (tenant_id, content_id) IN ${keys} ORDER BY tenant_id, content_id FOR UPDATE`
  return tx.$queryRaw<ContentKey[]>`
    DELETE FROM file_contents c WHERE (tenant_id, content_id) IN ${keys}
      AND NOT EXISTS (SELECT FROM files f WHERE f.tenant_id = c.tenant_id AND f.content_id = c.content_id)
    RETURNING tenant_id::text AS "tenantId", content_id::text AS "contentId"`
}
