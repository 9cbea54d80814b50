import {
  LIMITS,
  type ReadableSpace,
  requireAcceptsEvents,
  requireCanDeleteFile,
  type TenantId,
  unknown,
  unknownFile,
  type Viewer,
} from '@collab-spaces/domain'
import { lockBearer } from '../access/lock.js'
import { accessValues, MAY_READ } from '../access/view.js'
import { lockWriter, type Writer } from '../access/writer.js'
import { isWorthARetry } from '../connection/fault.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer, Principal } from '../credential/credential.js'
import { requireFileBytes } from '../quota/quota.js'
import { lockSpace, lockToGovern } from '../space/lock.js'
import type { ContentKey, ContentStore } from './content.js'

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

/** A file whose bytes are stored. */
export interface NewFile extends Pick<FileRecord, 'fileId' | 'name' | 'contentType' | 'size' | 'createdAt'> {
  readonly contentId: string
  readonly sha256: Buffer
  readonly imageType: string | null
  readonly idempotencyKey: string | null
}

/**
 * The outcome of recording a file: with its bytes, with the same ones that the tenant has already, or not, as its
 * idempotency key was used meanwhile.
 */
export type Recording = 'new' | 'shared' | 'replayed'

/** The uploader of a file, with its credential. */
export type Uploader = Writer & Bearer

const COLUMNS = `f.tenant_id AS "tenantId", f.file_id AS "fileId", f.space_id AS "spaceId", f.name,
  f.content_type AS "contentType", f.size, encode(f.sha256, 'hex') AS sha256, f.uploaded_by AS "uploadedBy",
  f.created_at AS "createdAt", f.deleted_at AS "deletedAt", f.event_id AS "eventId", f.content_id AS "contentId"`

/** The files that a viewer of their space sees: its own, and those of events. */
const IS_SEEN = '(f.event_id IS NOT NULL OR f.uploaded_by = $3)'

const IN_SPACE = `FROM files f JOIN spaces s USING (tenant_id, space_id)
  WHERE f.tenant_id = $1 AND f.space_id = $2 AND ${MAY_READ}`

/** The maximum number of files, and of contents, that one step of the housekeeping removes. */
const SWEEP_SIZE = 200
/** The age at which bytes without a record are garbage: no upload takes as long. */
const MAX_UPLOAD_MINUTES = 60

export function fileStore({ prisma, requests, long }: StoreContext, contents: ContentStore) {
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
    contents,

    /** Null for a file that the viewer does not see. */
    find,

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

    /** Returns the size of the contents of a tenant's files, in bytes. */
    async bytesOf(tenantId: TenantId): Promise<number> {
      const { rows } = await requests.query<{ bytes: number }>({
        name: 'file_bytes',
        text: 'SELECT coalesce(sum(size), 0)::float8 AS bytes FROM file_contents WHERE tenant_id = $1',
        values: [tenantId],
      })
      return rows[0]?.bytes ?? 0
    },

    /** Returns the file of an earlier upload with an idempotency key. */
    async ofKey(viewer: Viewer, spaceId: string, key: string): Promise<FileRecord | null> {
      const { rows } = await requests.query<FileRecord>({
        name: 'file_of_key',
        text: `SELECT ${COLUMNS} ${IN_SPACE} AND f.uploaded_by = $3 AND f.idempotency_key = $5`,
        values: [...accessValues(viewer, spaceId), key],
      })
      return rows[0] ?? null
    },

    /** Records a file whose bytes are stored. */
    async create(uploader: Uploader, spaceId: string, file: NewFile, quota: number | null): Promise<Recording> {
      const record = () =>
        prisma.$transaction(async (tx): Promise<Recording> => {
          await lockBearer(tx, uploader)
          await lockWriter(tx, uploader)
          const space = await lockSpace(tx, uploader, spaceId)
          if (!space) throw unknown('Space')
          // The space is locked, so no concurrent upload can use the key.
          if (await isKeyUsed(tx, uploader, spaceId, file.idempotencyKey)) return 'replayed'
          requireAcceptsEvents(space.status)
          const contentId = await recordContent(tx, uploader.tenantId, file)
          await requireFileBytes(tx, uploader.tenantId, quota)
          await insertFile(tx, uploader, spaceId, { ...file, contentId })
          return contentId === file.contentId ? 'new' : 'shared'
        })
      try {
        return await record()
      } catch (error) {
        // Another upload has recorded the same content.
        if (isWorthARetry(error)) return record()
        throw error
      }
    },

    /** Deletes the content of a file; its row stays. 404 for an unknown file, 403 for those of others. */
    async delete(caller: Bearer & Principal, spaceId: string, fileId: string, now: Date): Promise<void> {
      const content = await prisma.$transaction(async (tx) => {
        await lockWriter(tx, caller)
        const space = await lockToGovern(tx, caller, spaceId)
        const [file] = space
          ? await tx.$queryRaw<{ uploadedBy: string; contentId: string | null; eventId: string | null }[]>`
              SELECT uploaded_by AS "uploadedBy", content_id::text AS "contentId", event_id::text AS "eventId" FROM files
              WHERE tenant_id = ${caller.tenantId}::uuid AND space_id = ${spaceId} AND file_id = ${fileId}
              FOR NO KEY UPDATE`
          : []
        if (!space || !file || (file.eventId === null && file.uploadedBy !== caller.actorId)) throw unknownFile()
        requireCanDeleteFile(caller, file.uploadedBy, space.owners)
        if (file.contentId === null) return null
        await tx.$executeRaw`
          UPDATE files SET content_id = NULL, deleted_at = ${now}
          WHERE tenant_id = ${caller.tenantId}::uuid AND space_id = ${spaceId} AND file_id = ${fileId}`
        const key = { tenantId: caller.tenantId, contentId: file.contentId }
        return (await forgetContent(tx, key)) ? key : null
      })
      if (content) await contents.remove(content)
    },

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
  }
}

async function isKeyUsed(
  tx: Transaction,
  { tenantId, actorId }: Uploader,
  spaceId: string,
  key: string | null,
): Promise<boolean> {
  if (key === null) return false
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM files WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} AND uploaded_by = ${actorId}
      AND idempotency_key = ${key}`
  return rows.length > 0
}

/** Returns the id of the tenant's content with this hash, which is the new one if there is none. */
async function recordContent(tx: Transaction, tenantId: TenantId, file: NewFile): Promise<string> {
  const sha256 = new Uint8Array(file.sha256)
  // The lock keeps it until the end of the transaction.
  const [existing] = await tx.$queryRaw<{ contentId: string }[]>`
    SELECT content_id::text AS "contentId" FROM file_contents
    WHERE tenant_id = ${tenantId}::uuid AND sha256 = ${sha256} FOR KEY SHARE`
  if (existing) return existing.contentId
  await tx.$executeRaw`
    INSERT INTO file_contents (tenant_id, content_id, sha256, size, image_type)
    VALUES (${tenantId}::uuid, ${file.contentId}::uuid, ${sha256}, ${file.size}, ${file.imageType})`
  return file.contentId
}

async function insertFile(tx: Transaction, { tenantId, actorId }: Uploader, spaceId: string, file: NewFile) {
  await tx.$executeRaw`
    INSERT INTO files (tenant_id, space_id, file_id, name, content_type, size, sha256, content_id, uploaded_by, created_at,
      idempotency_key)
    VALUES (${tenantId}::uuid, ${spaceId}, ${file.fileId}, ${file.name}, ${file.contentType}, ${file.size},
      ${new Uint8Array(file.sha256)}, ${file.contentId}::uuid, ${actorId}, ${file.createdAt}, ${file.idempotencyKey})`
}

/** Deletes the record of a content that no file has. Returns whether it did. */
async function forgetContent(tx: Transaction, { tenantId, contentId }: ContentKey): Promise<boolean> {
  // Waits for a file that is just getting this content, which the next statement then sees.
  await tx.$executeRaw`
    SELECT FROM file_contents WHERE tenant_id = ${tenantId}::uuid AND content_id = ${contentId}::uuid FOR UPDATE`
  const deleted = await tx.$executeRaw`
    DELETE FROM file_contents c WHERE tenant_id = ${tenantId}::uuid AND content_id = ${contentId}::uuid
      AND NOT EXISTS (SELECT FROM files f WHERE f.tenant_id = c.tenant_id AND f.content_id = c.content_id)`
  return deleted > 0
}
