import { type CheckedEvent, type ConnectionOptions, type ObjectStore, timestamp } from '@collab-spaces/db'
import pg from 'pg'
import type { Progress } from '../backup/backup.js'
import { rowsOf } from '../rows/rows.js'
import { withSnapshot } from '../session/session.js'
import { checkActs } from './acts.js'
import { checkContents, checkPictures } from './contents.js'
import { type CheckedSpace, History, type Problem } from './history.js'
import { checkInboxes } from './inboxes.js'
import { checkReactions } from './reactions.js'
import { checkRedactions } from './redactions.js'
import { checkReferences, checkValues } from './references.js'
import { checkRevisions } from './revisions.js'
import { survived } from './survived.js'
import { checkTrees } from './trees.js'
import { checkWebhooks } from './webhooks.js'
import { isWhole } from './whole.js'

export type { Problem } from './history.js'

/** The counts of checked objects. */
export interface Check {
  readonly spaces: number
  readonly events: number
  /** Acts about decisions. */
  readonly acts: number
  /** Entries of histories that are sealed, or should be. */
  readonly sealed: number
  /** Contents of files. */
  readonly contents: number
  /** The number of kinds of reference between rows. */
  readonly references: number
  /** Spaces whose newest event is in the future: new events get its time until then, as times never decrease. */
  readonly ahead: readonly { readonly tenant_id: string; readonly space_id: string; readonly last_event_at: string }[]
}

/**
 * Checks a snapshot of the database: each space is gapless with a correct head, each event is readable, the acts of each
 * decision replay to its row, corrections and retractions are recorded, inboxes have correct heads, webhooks have valid
 * positions, each history matches its seal, each content of files and each picture has its hash, each value is readable, and each reference
 * leads to a row of its tenant. Memory holds a batch of spaces, one event and
 * one decision. `key` is the public key of this installation, if known.
 */
export async function checkDatabase(
  connection: ConnectionOptions,
  key: string | null,
  report: (problem: Problem) => void,
  progress: Progress,
  signal: AbortSignal,
  bucket: ObjectStore | null = null,
): Promise<Check> {
  return withSnapshot(connection, async (client) => {
    let spaces = 0
    let events = 0
    for await (const batch of batchesOf(client)) {
      spaces += batch.length
      const before = events
      events += await checkBatch(client, batch, report, (count) => progress('events', before + count), signal)
    }
    await checkValues(client, report, progress, signal)
    const acts = await checkActs(client, report, signal)
    await checkInboxes(client, report)
    await checkWebhooks(client, report)
    await survived(client, 'revisions', report, () => checkRevisions(client, report))
    await survived(client, 'reactions', report, () => checkReactions(client, report))
    await survived(client, 'pictures', report, () => checkPictures(client, report))
    await survived(client, 'redactions', report, () => checkRedactions(client, report))
    const sealed = await checkTrees(client, key, report, signal)
    const tell = (count: number) => progress('file_contents', count)
    const contents = await checkContents(client, connection, bucket, report, tell, signal)
    const references = await checkReferences(client, report)
    return { spaces, events, acts, sealed, contents, references, ahead: await aheadOfTime(client) }
  })
}

const BATCH = 500

/** All spaces, in index order. */
async function* batchesOf(client: pg.Client): AsyncGenerator<CheckedSpace[]> {
  let last: CheckedSpace | undefined
  do {
    const { rows }: pg.QueryResult<CheckedSpace> = await client.query(
      `SELECT tenant_id AS "tenantId", space_id AS "spaceId", head, ${timestamp('last_event_at')} AS "lastEventAt"
       FROM spaces s WHERE ${isWhole('s')} ${last ? 'AND (tenant_id, space_id) > ($2, $3)' : ''}
       ORDER BY tenant_id, space_id LIMIT $1`,
      last ? [BATCH, last.tenantId, last.spaceId] : [BATCH],
    )
    last = rows.at(-1)
    if (last) yield rows
  } while (last)
}

async function checkBatch(
  client: pg.Client,
  batch: readonly CheckedSpace[],
  report: (problem: Problem) => void,
  tell: (events: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const histories = new Map(batch.map((space) => [keyOf(space.tenantId, space.spaceId), new History(space)]))
  let events = 0
  for await (const { tenantId, spaceId, ...event } of eventsOf(client, batch)) {
    for (const problem of histories.get(keyOf(tenantId, spaceId))?.add(event) ?? []) report(problem)
    signal.throwIfAborted()
    tell(++events)
  }
  for (const history of histories.values()) for (const problem of history.end()) report(problem)
  return events
}

const keyOf = (tenantId: string, spaceId: string) => `${tenantId}/${spaceId}`

/** The events of a batch of adjacent spaces, in one index scan. */
async function* eventsOf(
  client: pg.Client,
  batch: readonly CheckedSpace[],
): AsyncGenerator<CheckedEvent & { readonly tenantId: string; readonly spaceId: string }> {
  const place = (space?: CheckedSpace) =>
    `(${pg.escapeLiteral(space?.tenantId ?? '')}, ${pg.escapeLiteral(space?.spaceId ?? '')})`
  const rows = rowsOf(
    client,
    `SELECT tenant_id, space_id, position, ${timestamp('occurred_at')}, wire, event_id, thread_id, speaker_id, posted_by
     FROM events
     WHERE (tenant_id, space_id) >= ${place(batch[0])} AND (tenant_id, space_id) <= ${place(batch.at(-1))}
     ORDER BY tenant_id, space_id, position`,
  )
  for await (const row of rows) {
    const [tenantId, spaceId, position, occurredAt, wire, event_id, thread_id, speaker_id, posted_by] = row as string[]
    const columns = { event_id, space_id: spaceId, thread_id, speaker_id, posted_by } as CheckedEvent['columns']
    yield {
      tenantId: tenantId as string,
      spaceId: spaceId as string,
      position: Number(position),
      timestamp: occurredAt as string,
      wire: wire as string,
      columns,
    }
  }
}

/** The tolerated difference between the clocks of two machines. */
const TOLERANCE = '1 minute'

async function aheadOfTime(client: pg.Client): Promise<Check['ahead']> {
  const { rows } = await client.query(
    `SELECT tenant_id, space_id, ${timestamp('last_event_at')} AS last_event_at FROM spaces
     WHERE last_event_at > clock_timestamp() + $1::interval ORDER BY tenant_id, space_id LIMIT 100`,
    [TOLERANCE],
  )
  return rows
}
