import { type ReadableSpace, type TenantId, unknownFile, type Viewer } from '@collab-spaces/domain'
import { accessValues, MAY_READ } from '../access/view.js'
import type { StoreContext } from '../connection/store-context.js'
import { fileBytesOf } from '../quota/file-bytes.js'

export interface FileRecord {
  readonly fileId: string
  readonly spaceId: string
  readonly name: string
  readonly contentType: string
  readonly size: number
  /** In hexadecimal; null after an erasure. */
  readonly sha256: string | null
  readonly uploadedBy: string
  readonly createdAt: Date
  readonly deletedAt: Date | null
  /** The event that names it. */
  readonly eventId: string | null
}

/** A file with the key of its bytes. */
export interface StoredFile extends FileRecord {
  readonly tenantId: TenantId
  /** Null after its deletion. */
  readonly contentId: string | null
  /** The type of an image by its first bytes. */
  readonly imageType: string | null
}

const COLUMNS = `f.tenant_id AS "tenantId", f.file_id AS "fileId", f.space_id AS "spaceId", f.name,
  f.content_type AS "contentType", f.size, encode(f.sha256, 'hex') AS sha256, f.uploaded_by AS "uploadedBy",
  f.created_at AS "createdAt", f.deleted_at AS "deletedAt", f.event_id AS "eventId", f.content_id AS "contentId"`

/** The files that a viewer of their space sees: its own, and those of events. */
const IS_SEEN = '(f.event_id IS NOT NULL OR f.uploaded_by = $3)'

const IN_SPACE = `FROM files f JOIN spaces s USING (tenant_id, space_id)
  WHERE f.tenant_id = $1 AND f.space_id = $2 AND ${MAY_READ}`

/** Reads of files. */
export function fileReads({ requests }: Pick<StoreContext, 'requests'>) {
  const find = async (viewer: Viewer, spaceId: string, fileId: string): Promise<StoredFile | null> => {
    const { rows } = await requests.query<StoredFile>({
      name: 'file',
      text: `SELECT ${COLUMNS}, c.image_type AS "imageType"
        FROM files f JOIN spaces s USING (tenant_id, space_id) LEFT JOIN file_contents c USING (tenant_id, content_id)
        WHERE f.tenant_id = $1 AND f.space_id = $2 AND ${MAY_READ} AND f.file_id = $5 AND ${IS_SEEN}`,
      values: [...accessValues(viewer, spaceId), fileId],
    })
    return rows[0] ?? null
  }

  return {
    /** Null for a file that the viewer does not see. */
    find,

    /** Returns those of the given files of a space that the viewer sees, and whose bytes are stored. */
    async stored(viewer: Viewer, { spaceId }: ReadableSpace, fileIds: readonly string[]): Promise<StoredFile[]> {
      const { rows } = await requests.query<StoredFile>({
        name: 'stored_files',
        text: `SELECT ${COLUMNS}, c.image_type AS "imageType"
          FROM files f JOIN spaces s USING (tenant_id, space_id) JOIN file_contents c USING (tenant_id, content_id)
          WHERE f.tenant_id = $1 AND f.space_id = $2 AND ${MAY_READ} AND f.file_id = ANY ($5) AND ${IS_SEEN}`,
        values: [...accessValues(viewer, spaceId), fileIds],
      })
      return rows
    },

    /** Newest first, before a file; 404 for an unknown one. */
    async list(
      viewer: Viewer,
      { spaceId }: ReadableSpace,
      before: string | undefined,
      limit: number,
    ): Promise<FileRecord[]> {
      const last = before === undefined ? null : await find(viewer, spaceId, before)
      if (before !== undefined && !last) throw unknownFile()
      const { rows } = await requests.query<FileRecord>({
        name: 'files',
        text: `SELECT ${COLUMNS} ${IN_SPACE} AND ${IS_SEEN}
          AND ($5::timestamptz IS NULL OR (f.created_at, f.file_id) < ($5::timestamptz, $6::text))
          ORDER BY f.created_at DESC, f.file_id DESC LIMIT $7`,
        values: [...accessValues(viewer, spaceId), last?.createdAt ?? null, last?.fileId ?? null, limit],
      })
      return rows
    },

    /** Returns the caller's own files of a space, of any state, in the order of the ids. 404 for an unknown one. */
    async own(viewer: Viewer, spaceId: string, fileIds: readonly string[]): Promise<FileRecord[]> {
      const { rows } = await requests.query<FileRecord>({
        name: 'own_files',
        text: `SELECT ${COLUMNS} ${IN_SPACE} AND f.file_id = ANY ($5) AND f.uploaded_by = $3`,
        values: [...accessValues(viewer, spaceId), fileIds],
      })
      const found = new Map(rows.map((row) => [row.fileId, row]))
      return fileIds.map((fileId) => {
        const file = found.get(fileId)
        if (!file) throw unknownFile()
        return file
      })
    },

    bytesOf: (tenantId: TenantId): Promise<number> => fileBytesOf({ requests }, tenantId),

    /** Returns the file of an earlier upload with an idempotency key. */
    async ofKey(viewer: Viewer, spaceId: string, key: string): Promise<FileRecord | null> {
      const { rows } = await requests.query<FileRecord>({
        name: 'file_of_key',
        text: `SELECT ${COLUMNS} ${IN_SPACE} AND f.uploaded_by = $3 AND f.idempotency_key = $5`,
        values: [...accessValues(viewer, spaceId), key],
      })
      return rows[0] ?? null
    },
  }
}
