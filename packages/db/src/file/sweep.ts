import { LIMITS } from '@collab-spaces/domain'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { ContentKey, ContentStore } from './content.js'

/** The maximum number of files, and of contents, that one step of the housekeeping removes. */
const SWEEP_SIZE = 200
/** The age at which bytes without a record are garbage: no upload takes as long. */
const MAX_UPLOAD_MINUTES = 60

/** The housekeeping of files. */
export const fileSweeps = ({ prisma, long }: Pick<StoreContext, 'prisma' | 'long'>, contents: ContentStore) => ({
  /** Deletes some files that no event has named in time. Returns whether more may be due. */
  async deleteUnattached(): Promise<boolean> {
    const { rows } = await long.query<ContentKey>(
      `WITH gone AS (
         DELETE FROM files WHERE (tenant_id, space_id, file_id) IN (
           SELECT f.tenant_id, f.space_id, f.file_id FROM files f JOIN tenants t USING (tenant_id)
           WHERE f.event_id IS NULL AND f.created_at < now() - interval '${LIMITS.unattachedHours} hours'
             AND t.status IN ('active', 'suspended')
           ORDER BY f.created_at LIMIT ${SWEEP_SIZE} FOR UPDATE OF f SKIP LOCKED
         ) RETURNING tenant_id, content_id
       ) SELECT tenant_id AS "tenantId", content_id AS "contentId" FROM gone`,
    )
    for (const { tenantId, contentId } of rows) {
      if (contentId === null) continue
      const isLast = await prisma.$transaction((tx) => forgetContent(tx, { tenantId, contentId }))
      if (isLast) await contents.remove({ tenantId, contentId })
    }
    return rows.length === SWEEP_SIZE
  },

  /** Removes bytes without a record among the next keys. Returns the last of these; null at the end. */
  async removeGarbage(after: ContentKey | null): Promise<ContentKey | null> {
    const keys = await contents.list(after)
    // The first 48 bits of an id are the time, in milliseconds.
    const { rows } = await long.query<ContentKey>(
      `SELECT k.tenant_id AS "tenantId", k.content_id AS "contentId"
       FROM unnest($1::uuid[], $2::uuid[]) AS k(tenant_id, content_id) JOIN tenants t USING (tenant_id)
       WHERE ('x' || left(replace(k.content_id::text, '-', ''), 12))::bit(48)::int8
           < extract(epoch FROM now() - interval '${MAX_UPLOAD_MINUTES} minutes') * 1000
         AND NOT EXISTS (SELECT FROM file_contents c WHERE c.tenant_id = k.tenant_id AND c.content_id = k.content_id)
         AND t.status IN ('active', 'suspended')`,
      [keys.map(({ tenantId }) => tenantId), keys.map(({ contentId }) => contentId)],
    )
    for (const key of rows) await contents.remove(key)
    return keys.at(-1) ?? null
  },
})

/** Deletes the record of a content that no file has. Returns whether it did. */
export async function forgetContent(tx: Transaction, { tenantId, contentId }: ContentKey): Promise<boolean> {
  // Waits for a file that is just getting this content, which the next statement then sees.
  await tx.$executeRaw`
    SELECT FROM file_contents WHERE tenant_id = ${tenantId}::uuid AND content_id = ${contentId}::uuid FOR UPDATE`
  const deleted = await tx.$executeRaw`
    DELETE FROM file_contents c WHERE tenant_id = ${tenantId}::uuid AND content_id = ${contentId}::uuid
      AND NOT EXISTS (SELECT FROM files f WHERE f.tenant_id = c.tenant_id AND f.content_id = c.content_id)`
  return deleted > 0
}
