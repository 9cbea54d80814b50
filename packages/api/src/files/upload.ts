import { createHash, randomBytes } from 'node:crypto'
import { type ContentSource, databaseClock, type FileRecord } from '@collab-spaces/db'
import {
  DEFAULT_CONTENT_TYPE,
  DomainError,
  digestIn,
  fileTooLarge,
  imageTypeOf,
  invalid,
  onlyOverRest,
  prefixedId,
  quotaUsedUp,
  requireAcceptsEvents,
  unknown,
  writeError,
} from '@collab-spaces/domain'
import type { SlotRequest } from '@collab-spaces/fair'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { Upload } from '../procedure/context.js'
import { type Caller, fairKeyOf } from '../procedure/credential.js'
import { requireSpace } from '../require-space.js'
import type { UploadFile } from '../schemas/file.js'
import type { Services } from '../services.js'

type Input = z.output<typeof UploadFile>

/** The upload of a caller, and its input. */
interface Uploading {
  readonly services: Services
  readonly caller: Caller
  readonly upload: Upload | undefined
  readonly input: Input
}

/** The bytes of an upload, once they were read. */
interface ReceivedBytes {
  readonly size: number
  readonly sha256: Buffer
  readonly imageType: string | null
}

/**
 * Stores the bytes of an upload as they arrive, a chunk at a time, and then records the file. 413 at the first byte beyond
 * the limit, 400 for bytes without the announced digest, 409 if the space is not active.
 */
export async function receiveFile({ services, caller, upload, input }: Uploading): Promise<FileRecord> {
  if (!upload) throw onlyOverRest('POST /api/spaces/{space_id}/files')
  const { files } = services.database
  const { space_id: spaceId, idempotency_key: key } = input
  const digest = announcedDigest(input)
  const space = await requireSpace(services, caller, spaceId)
  const earlier = key === undefined ? null : await files.ofKey(caller, spaceId, key)
  // A retry stores nothing.
  const slotRequest = { fairKey: fairKeyOf(caller), address: () => caller.address() }
  if (earlier) return replay(earlier, input, await receive(upload, services, slotRequest, digest, drain))
  requireAcceptsEvents(space.status)
  await requireRoom(services, caller)
  // The housekeeping compares the time in the id with the clock of the database.
  const contentId = uuidv7({ msecs: databaseClock.now().getTime() })
  const content = { tenantId: caller.tenantId, contentId }
  let isGarbage = true
  try {
    const turn = services.gate.turnsOf(slotRequest)
    const store = (source: ContentSource) => files.contents.write(content, source, turn)
    const received = await receive(upload, services, slotRequest, digest, store)
    const file = {
      ...received,
      fileId: prefixedId('fil', randomBytes),
      contentId,
      name: input.name,
      contentType: input.content_type ?? DEFAULT_CONTENT_TYPE,
      createdAt: databaseClock.now(),
      idempotencyKey: key ?? null,
    }
    const quota = services.quotas.of(caller.tenantId, 'fileBytes')
    const recording = await turn(() => {
      // Until its commit is answered, the file may be recorded. The housekeeping removes the bytes if it is not.
      isGarbage = false
      return files.create(caller, spaceId, file, quota)
    }).catch((error: unknown) => {
      isGarbage ||= error instanceof DomainError
      throw error
    })
    isGarbage = recording !== 'new'
    const recorded = await (recording === 'replayed'
      ? files.ofKey(caller, spaceId, key as string)
      : files.find(caller, spaceId, file.fileId))
    if (!recorded) throw unknown('Space')
    return recording === 'replayed' ? replay(recorded, input, received) : recorded
  } finally {
    if (isGarbage) void files.contents.remove(content)
  }
}

/** Returns the SHA-256 that the headers announce, in base64. */
function announcedDigest({ content_digest, repr_digest, digest }: Input): string | null {
  for (const [field, header] of Object.entries({
    'Content-Digest': content_digest,
    'Repr-Digest': repr_digest,
    Digest: digest,
  })) {
    const found = header === undefined ? null : digestIn(field, header)
    if (found !== null) return found
  }
  return null
}

/** Throws before the body is read if the tenant's quota is used up. The record of the file decides. */
async function requireRoom({ quotas, database }: Services, { tenantId }: Caller): Promise<void> {
  const quota = quotas.of(tenantId, 'fileBytes')
  if (quota !== null && (await database.files.bytesOf(tenantId)) >= quota) throw quotaUsedUp(quota, 'bytes of files')
}

async function receive(
  upload: Upload,
  { maxFileBytes, gate }: Services,
  slotRequest: SlotRequest,
  digest: string | null,
  store: (source: ContentSource) => Promise<void>,
): Promise<ReceivedBytes> {
  const hash = createHash('sha256')
  let size = 0
  let imageType: string | null = null
  const tooLarge = () => fileTooLarge(maxFileBytes)
  const holdBuffer = () => gate.holdBuffer(slotRequest)
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of upload.chunks(maxFileBytes, tooLarge, holdBuffer)) {
      if (size === 0) imageType = imageTypeOf(chunk)
      hash.update(chunk)
      size += chunk.length
      yield chunk
    }
  }
  await store({ size: upload.size, chunks: chunks() })
  const sha256 = hash.digest()
  if (digest !== null && sha256.toString('base64') !== digest) {
    throw invalid('body', `its SHA-256 is not the announced one, but sha-256=:${sha256.toString('base64')}:`)
  }
  return { size, sha256, imageType }
}

/** Reads an upload that is stored already. */
async function drain({ chunks }: ContentSource): Promise<void> {
  for await (const _ of chunks);
}

/** Returns the file of an earlier upload with the same key. 409 if that was another one. */
function replay(
  earlier: FileRecord,
  { name, content_type = DEFAULT_CONTENT_TYPE }: Input,
  { sha256 }: ReceivedBytes,
): FileRecord {
  const isSame =
    earlier.name === name && earlier.contentType === content_type && earlier.sha256 === sha256.toString('hex')
  if (!isSame && earlier.sha256 !== null) throw writeError('reused_idempotency_key')
  return earlier
}
