import { createHash, type Hash } from 'node:crypto'
import type { ConnectionOptions, ObjectStore } from '@collab-spaces/db'
import type pg from 'pg'
import { rowsOf } from '../rows/rows.js'
import { withSession } from '../session/session.js'
import type { Problem } from './history.js'
import { ofWholeTenant } from './whole.js'

/** The chunks of all contents, in order; a content without one has a row, too. */
const CHUNKS = `
  SELECT c.tenant_id, c.content_id, c.size, encode(c.sha256, 'hex'), k.index, encode(k.bytes, 'hex')
  FROM file_contents c LEFT JOIN file_chunks k USING (tenant_id, content_id)
  WHERE ${ofWholeTenant('c')}
  ORDER BY c.tenant_id, c.content_id, k.index`

/** The bytes of a content, as far as they were read. */
class Content {
  readonly #hash: Hash = createHash('sha256')
  #size = 0
  #chunks = 0
  #isGapless = true

  constructor(
    readonly tenantId: string,
    readonly contentId: string,
    readonly size: number,
    private readonly sha256: string,
  ) {}

  /** Whether its bytes are not in PostgreSQL. */
  get isElsewhere(): boolean {
    return this.#chunks === 0 && this.size > 0
  }

  addChunk(index: string | null, bytes: string | null): void {
    if (index === null) return
    this.#isGapless &&= Number(index) === this.#chunks++
    this.add(Buffer.from(bytes ?? '', 'hex'))
  }

  add(piece: Buffer): void {
    this.#size += piece.length
    this.#hash.update(piece)
  }

  /** Returns the problem of a content that was read to its end. */
  end(): Problem | null {
    const what = `the content ${this.contentId} of files`
    if (!this.#isGapless) return { tenant_id: this.tenantId, problem: `${what} lacks a chunk` }
    if (this.#size === this.size && this.#hash.digest('hex') === this.sha256) return null
    if (this.#size === 0) return { tenant_id: this.tenantId, problem: `${what} is missing` }
    return { tenant_id: this.tenantId, problem: `${what} does not have the recorded size and SHA-256` }
  }
}

const RECORD = 'SELECT FROM file_contents WHERE tenant_id = $1 AND content_id = $2'

/** Whether a content of the snapshot still exists: its bytes in the bucket are removed with it. */
const isRecorded = (connection: ConnectionOptions, { tenantId, contentId }: Content): Promise<boolean> =>
  withSession(connection, async (client) => (await client.query(RECORD, [tenantId, contentId])).rowCount === 1)

/** Checks the hash of each content, with one chunk in memory. Returns their number. */
export async function checkContents(
  client: pg.Client,
  connection: ConnectionOptions,
  bucket: ObjectStore | null,
  report: (problem: Problem) => void,
  progress: (contents: number) => void,
  signal: AbortSignal,
): Promise<number> {
  let count = 0
  let content: Content | null = null
  const end = async () => {
    if (!content) return
    const { contentId, isElsewhere, size } = content
    if (isElsewhere && bucket) {
      const pieces = bucket.read(contentId, { from: 0, to: size }, (work) => work())
      for await (const piece of pieces) content.add(piece)
    }
    const problem = content.end()
    if (problem && (await isRecorded(connection, content))) report(problem)
  }
  for await (const row of rowsOf(client, CHUNKS)) {
    signal.throwIfAborted()
    const [tenantId, contentId, size, sha256] = row as [string, string, string, string]
    if (content?.tenantId !== tenantId || content.contentId !== contentId) {
      await end()
      content = new Content(tenantId, contentId, Number(size), sha256)
      progress(++count)
    }
    content.addChunk(row[4] ?? null, row[5] ?? null)
  }
  await end()
  return count
}

const WRONG_PICTURES = `
  SELECT a.tenant_id, actor_id FROM actors a FULL JOIN pictures p USING (actor_id)
  WHERE a.picture IS DISTINCT FROM sha256(p.bytes)
    AND ${ofWholeTenant('a')}
  ORDER BY actor_id`

/** Checks that each picture has the SHA-256 that its actor says, and that none is missing or left over. */
export async function checkPictures(client: pg.Client, report: (problem: Problem) => void): Promise<void> {
  for (const { tenant_id, actor_id } of (await client.query(WRONG_PICTURES)).rows) {
    report({ tenant_id, problem: `the picture of ${actor_id} is missing, or does not have the recorded SHA-256` })
  }
}
