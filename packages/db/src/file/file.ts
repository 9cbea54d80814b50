import { requireAcceptsEvents, requireCanDeleteFile, type TenantId, unknown, unknownFile } from '@collab-spaces/domain'
import { lockBearer } from '../access/lock.js'
import { lockWriter, type Writer } from '../access/writer.js'
import { isWorthARetry } from '../connection/fault.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer, Principal } from '../credential/credential.js'
import { requireFileBytes } from '../quota/file-bytes.js'
import { lockSpace, lockToGovern } from '../space/lock.js'
import { chunkStore } from './chunk.js'
import { contentsOf, type ObjectStore } from './content.js'
import { type FileRecord, fileReads } from './read.js'
import { fileSweeps, forgetContents, type PossibleContent } from './sweep.js'
import { fileTexts } from './text.js'

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

/** Files, whose bytes are in PostgreSQL without a bucket. */
export function fileStore(context: StoreContext, bucket: ObjectStore | null) {
  const { prisma } = context
  const chunks = chunkStore(context)
  const contents = contentsOf(context, chunks, bucket)
  return {
    contents,
    ...fileReads(context),
    ...fileTexts(context),
    ...fileSweeps(context, { contents, chunks, bucket }),

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

    /** Deletes files of the uploader that no event names, without a trace. */
    async discard({ tenantId, actorId }: Uploader, spaceId: string, fileIds: readonly string[]): Promise<void> {
      const removed = await prisma.$transaction(async (tx) => {
        const rows = await tx.$queryRaw<PossibleContent[]>`
          DELETE FROM files WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} AND uploaded_by = ${actorId}
            AND file_id = ANY (${fileIds}) AND event_id IS NULL
          RETURNING tenant_id AS "tenantId", content_id AS "contentId"`
        return forgetContents(tx, rows)
      })
      await contents.remove(...removed)
    },

    /** Deletes the content of a file; its row stays. 404 for an unknown file, 403 for those of others. */
    async delete(caller: Bearer & Principal, spaceId: string, fileId: string, now: Date): Promise<void> {
      const removed = await prisma.$transaction(async (tx) => {
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
        if (file.contentId === null) return []
        await tx.$executeRaw`
          UPDATE files SET content_id = NULL, deleted_at = ${now}, passages = NULL, terms = NULL
          WHERE tenant_id = ${caller.tenantId}::uuid AND space_id = ${spaceId} AND file_id = ${fileId}`
        return forgetContents(tx, [{ tenantId: caller.tenantId, contentId: file.contentId }])
      })
      await contents.remove(...removed)
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
