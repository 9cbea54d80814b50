import type { TenantId } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'

/** The key of the bytes of a file. The id is a UUID of version 7: it has the time at which the upload began. */
export interface ContentKey {
  readonly tenantId: TenantId
  readonly contentId: string
}

/**
 * The bytes of files, in chunks of `CHUNK_BYTES`. They are written before the record of a content and removed after it,
 * so what has no record is garbage.
 */
export interface ContentStore {
  write(key: ContentKey, index: number, chunk: Buffer): Promise<void>
  /** Null for a chunk that was removed. */
  read(key: ContentKey, index: number): Promise<Buffer | null>
  /** Idempotent. */
  remove(key: ContentKey): Promise<void>
  /** Returns some keys in order, after a given one; none at the end. */
  list(after: ContentKey | null): Promise<ContentKey[]>
}

const LIST_SIZE = 1_000

/** Stores chunks in PostgreSQL. */
export const postgresContents = ({ long }: Pick<StoreContext, 'long'>): ContentStore => ({
  async write({ tenantId, contentId }, index, chunk) {
    await long.query({
      name: 'write_file_chunk',
      text: 'INSERT INTO file_chunks (tenant_id, content_id, index, bytes) VALUES ($1, $2, $3, $4)',
      values: [tenantId, contentId, index, chunk],
    })
  },

  async read({ tenantId, contentId }, index) {
    const { rows } = await long.query<{ bytes: Buffer }>({
      name: 'read_file_chunk',
      text: 'SELECT bytes FROM file_chunks WHERE tenant_id = $1 AND content_id = $2 AND index = $3',
      values: [tenantId, contentId, index],
    })
    return rows[0]?.bytes ?? null
  },

  async remove({ tenantId, contentId }) {
    await long.query('DELETE FROM file_chunks WHERE tenant_id = $1 AND content_id = $2', [tenantId, contentId])
  },

  async list(after) {
    const { rows } = await long.query<ContentKey>(
      `SELECT tenant_id AS "tenantId", content_id AS "contentId" FROM file_chunks
       WHERE index = 0 AND ($1::uuid IS NULL OR (tenant_id, content_id) > ($1::uuid, $2::uuid))
       ORDER BY tenant_id, content_id LIMIT ${LIST_SIZE}`,
      [after?.tenantId ?? null, after?.contentId ?? null],
    )
    return rows
  },
})
