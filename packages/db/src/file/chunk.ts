import { CHUNK_BYTES } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'
import { pulling } from '../log/pull.js'
import type { ContentKey, ContentStore } from './content.js'

const LIST_SIZE = 1_000

/** In binary format, in which `BinaryClient` passes it on. Rows that are objects would be copies. */
const AS_BYTES = {
  binary: true,
  rowMode: 'array' as const,
  types: { getTypeParser: () => (bytes: Buffer) => bytes },
}

/** The commit does not wait for the disk: that of the record does, and the log of PostgreSQL has it after all chunks. */
const WRITE = {
  name: 'write_file_chunk',
  text: `INSERT INTO file_chunks (tenant_id, content_id, index, bytes)
    SELECT $1::uuid, $2::uuid, $3::integer, $4::bytea FROM set_config('synchronous_commit', 'off', true)`,
}

/** Stores contents in PostgreSQL, as rows of `CHUNK_BYTES`. */
export const chunkStore = ({ long }: Pick<StoreContext, 'long'>): ContentStore<ContentKey> => ({
  async write({ tenantId, contentId }, { chunks }, turn) {
    let index = 0
    for await (const chunk of chunks) {
      const values = [tenantId, contentId, index++, chunk]
      await turn(() => long.query({ ...WRITE, values }))
    }
  },

  read({ tenantId, contentId }, { from, to }, turn) {
    let at = from
    const chunkAt = async (index: number): Promise<Buffer | undefined> => {
      const { rows } = await turn(() =>
        long.query<[Buffer]>({
          ...AS_BYTES,
          name: 'read_file_chunk',
          text: 'SELECT bytes FROM file_chunks WHERE tenant_id = $1 AND content_id = $2 AND index = $3',
          values: [tenantId, contentId, index],
        }),
      )
      return rows[0]?.[0]
    }
    return pulling(async () => {
      if (at >= to) return null
      const index = Math.floor(at / CHUNK_BYTES)
      const begin = at - index * CHUNK_BYTES
      const part = (await chunkAt(index))?.subarray(begin, begin + to - at)
      // A damaged content ends early, like one that was removed.
      if (!part || part.length === 0) return null
      at += part.length
      return part
    })
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
