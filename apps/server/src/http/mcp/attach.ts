import { createHash } from 'node:crypto'
import { type Operation, operations, type Upload } from '@collab-spaces/api'
import { CHUNK_BYTES, DomainError, invalid, isBase64, isJsonObject, LIMITS } from '@collab-spaces/domain'
import { call, type Exchange, type Outcome, refusalOf } from './exchange.js'

/** The maximum of all files of a call together, in bytes. */
const MAX_ATTACHED_BYTES = 1024 * 1024

/** A file that a model sends with a text. */
interface ModelFile {
  readonly name: unknown
  readonly contentType: unknown
  readonly bytes: Buffer
}

/**
 * Calls a procedure that writes an event with files of these bytes. It is one request: a retry with its key uploads nothing
 * again, and files of a refused event are deleted.
 */
export async function callWithFiles(
  exchange: Exchange,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  sent: unknown,
): Promise<Outcome> {
  const uploaded: string[] = []
  const outcome = await withUploads(exchange, operation, input, sent, uploaded)
  if ('refused' in outcome && uploaded.length > 0) {
    const { caller, context, report, request } = exchange
    // The housekeeping deletes what is left when this fails.
    await context.services.database.files
      .discard(caller, String(input.space_id), uploaded)
      .catch((error) => report(error, request.id))
  }
  return outcome
}

/** `uploaded` gets the ids of the files, also before a refusal. */
async function withUploads(
  exchange: Exchange,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  sent: unknown,
  uploaded: string[],
): Promise<Outcome> {
  let files: readonly ModelFile[]
  try {
    files = attachedIn(sent)
  } catch (error) {
    return refusalOf(exchange, error)
  }
  for (const [index, file] of files.entries()) {
    const outcome = await uploadOne(exchange, input, file, index)
    if ('refused' in outcome) return outcome
    uploaded.push((outcome.value as { file_id: string }).file_id)
  }
  return call(exchange, operation, { ...input, file_ids: uploaded })
}

const UPLOAD = operations.find(({ name }) => name === 'file.upload') as Operation

function uploadOne(
  exchange: Exchange,
  { space_id, idempotency_key: key }: Readonly<Record<string, unknown>>,
  { name, contentType, bytes }: ModelFile,
  index: number,
): Promise<Outcome> {
  const context = { ...exchange.context, upload: uploadOf(bytes) }
  return call({ ...exchange, context }, UPLOAD, {
    space_id,
    name,
    content_type: contentType,
    ...(typeof key === 'string' && { idempotency_key: keyOf(key, index) }),
  })
}

/** Of any length of the key of the call, and none that a client would choose for an upload. */
const keyOf = (key: string, index: number) => `mcp-${createHash('sha256').update(key).digest('hex')}-${index}`

const uploadOf = (bytes: Buffer): Upload => ({
  size: bytes.length,
  async *chunks(limit, tooLarge) {
    if (bytes.length > limit) throw tooLarge()
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
  },
})

function attachedIn(sent: unknown): readonly ModelFile[] {
  if (sent === undefined || sent === null) return []
  if (!Array.isArray(sent) || sent.length > LIMITS.eventFiles) {
    throw invalid('files', `must be a list of at most ${LIMITS.eventFiles} files`)
  }
  const files = sent.map((file, index) => attached(file, `files.${index}`))
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (size <= MAX_ATTACHED_BYTES) return files
  throw new DomainError(
    'too_large',
    `files: must be at most ${MAX_ATTACHED_BYTES} bytes together; upload larger ones over REST`,
  )
}

function attached(file: unknown, field: string): ModelFile {
  if (!isJsonObject(file)) throw invalid(field, 'must be an object')
  const { name, text = null, base64 = null, content_type } = file
  if ((text === null) === (base64 === null)) throw invalid(field, 'must have either text or base64')
  if (text !== null) {
    if (typeof text !== 'string') throw invalid(`${field}.text`, 'must be a string')
    return { name, contentType: content_type ?? 'text/plain; charset=utf-8', bytes: Buffer.from(text) }
  }
  if (typeof base64 !== 'string' || !isBase64(base64)) {
    throw invalid(`${field}.base64`, 'must be base64')
  }
  return { name, contentType: content_type, bytes: Buffer.from(base64, 'base64') }
}
