import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { inChunks, inTransaction, type ObjectStore } from '@collab-spaces/db'
import pg from 'pg'
import type { Progress } from '../backup/backup.js'
import { OperatorError } from '../session/operator-error.js'
import { requireEqual } from './compare.js'
import { add, carry, intoStage, stageOf } from './stage.js'
import { type CarriedTable, type CarriedTables, CHUNKS, rowsOf, tableOf } from './tables.js'

/** The source and the destination of contents. */
export interface ContentRoute {
  readonly tenantId: string
  readonly tables: CarriedTables
  readonly from: pg.Client
  readonly to: pg.Client
  /** The bucket of the source, if it has one. The destination gets all bytes into its database. */
  readonly bucket: ObjectStore | null
  readonly progress: Progress
  readonly signal: AbortSignal
}

interface Content {
  readonly id: string
  readonly size: number
  readonly sha256: string
}

/** The complete contents of a tenant without chunks. An interrupted pass leaves none with a part of them. */
const WITHOUT_CHUNKS = `
  SELECT c.content_id AS id, c.size, encode(c.sha256, 'hex') AS sha256 FROM file_contents c
  WHERE c.tenant_id = $1 AND c.size > 0 AND NOT EXISTS (
    SELECT FROM file_chunks k WHERE k.tenant_id = c.tenant_id AND k.content_id = c.content_id)
  ORDER BY c.content_id`

/** Returns the contents of a tenant whose bytes the database does not have. */
const withoutChunks = async (client: pg.Client, tenantId: string): Promise<Content[]> =>
  (await client.query<Content>(WITHOUT_CHUNKS, [tenantId])).rows

/** The bytes per transaction, unless one content has more. */
const BATCH_BYTES = 64 * 1024 * 1024

/** Copies the chunks of contents whose rows were copied. */
export async function placeContents(route: ContentRoute, compares: boolean): Promise<void> {
  const { from, to, tenantId, tables, progress, signal } = route
  const chunks = tableOf(tables, CHUNKS)
  const missing = await withoutChunks(to, tenantId)
  if (missing.length === 0) return
  const elsewhere = new Map((await withoutChunks(from, tenantId)).map((content) => [content.id, content]))
  const here = missing.filter(({ id }) => !elsewhere.has(id))
  let copied = 0
  while (here.length > 0) {
    const ids: string[] = []
    for (let bytes = 0; here[0] && (ids.length === 0 || bytes + here[0].size <= BATCH_BYTES); ) {
      bytes += here[0].size
      ids.push((here.shift() as Content).id)
    }
    const query = rowsOf(chunks, tenantId, { where: `x.content_id IN (${ids.map(pg.escapeLiteral).join(', ')})` })
    await inTransaction(to, async () => {
      copied += await carry(from, to, chunks, query, signal)
      await add(to, chunks)
      if (compares) await requireEqual(from, to, chunks, query)
    })
    progress(CHUNKS, copied)
  }
  for (const { id } of missing) {
    const content = elsewhere.get(id)
    if (!content) continue
    await inTransaction(to, async () => {
      copied += await fetchContent(route, chunks, content)
      await add(to, chunks)
    })
    progress(CHUNKS, copied)
  }
}

/** Copies a content from the bucket into the staging table of the destination. Returns the number of its chunks. */
async function fetchContent(
  { to, bucket, tenantId, signal }: ContentRoute,
  chunks: CarriedTable,
  content: Content,
): Promise<number> {
  await to.query(`TRUNCATE ${stageOf(CHUNKS)}`)
  const target = intoStage(to, chunks)
  await pipeline(Readable.from(linesOf(bucket, tenantId, content, chunks)), target, { signal })
  return target.rowCount
}

/** Compares the chunks that the source has; those from a bucket had their hash. */
export async function compareContents({ from, to, tenantId, tables }: ContentRoute): Promise<void> {
  const chunks = tableOf(tables, CHUNKS)
  const elsewhere = (await withoutChunks(from, tenantId)).map(({ id }) => pg.escapeLiteral(id))
  // Incomplete uploads have no row, and are not copied.
  const query = rowsOf(chunks, tenantId, {
    join: 'JOIN file_contents c USING (tenant_id, content_id)',
    where: `x.content_id <> ALL (ARRAY[${elsewhere.join(', ')}]::uuid[])`,
  })
  await requireEqual(from, to, chunks, query, 'x.content_id')
}

/** Yields the contents of a tenant that are in the bucket, as lines of COPY. */
export async function* linesOfBucket(
  client: pg.Client,
  bucket: ObjectStore | null,
  tenantId: string,
  chunks: CarriedTable,
): AsyncGenerator<Buffer> {
  for (const content of await withoutChunks(client, tenantId)) yield* linesOf(bucket, tenantId, content, chunks)
}

async function* linesOf(
  bucket: ObjectStore | null,
  tenantId: string,
  { id, size, sha256 }: Content,
  { columns }: CarriedTable,
): AsyncGenerator<Buffer> {
  if (!bucket) {
    throw new OperatorError(`The database does not have the content ${id} of files: set FILES_URL to its bucket`)
  }
  const hash = createHash('sha256')
  let index = 0
  for await (const chunk of inChunks(bucket.read(id, { from: 0, to: size }, (work) => work()))) {
    hash.update(chunk)
    const row: Readonly<Record<string, string>> = {
      tenant_id: tenantId,
      content_id: id,
      index: String(index++),
      bytes: `\\\\x${chunk.toString('hex')}`,
    }
    yield Buffer.from(`${columns.map((column) => row[column]).join('\t')}\n`)
  }
  if (hash.digest('hex') === sha256) return
  throw new OperatorError(`The content ${id} of files is not in the bucket as it was recorded: run "operate check"`)
}
