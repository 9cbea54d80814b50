import type { SpaceStatus } from '@collab-spaces/domain'
import type pg from 'pg'
import type { Append, AppendOutcome, BatchOutcome, Committed } from './append.js'
import { BatchCommit } from './batch.js'
import { GroupCommit } from './group.js'

/** The way into the event log. */
export interface EventLog {
  /** One event, which shares its commit with others of the same moment. */
  append(append: Append): Promise<AppendOutcome>
  /** Events of one space in their order, with nothing between them: all or none. */
  appendBatch(batch: readonly Append[]): Promise<BatchOutcome>
}

/** `onCommit` hears of every committed event before its writer is answered. */
export function openEventLog(
  pool: pg.Pool,
  accepting: readonly SpaceStatus[],
  onCommit: (committed: readonly Committed[]) => void,
): EventLog {
  const groups = new GroupCommit(pool, accepting, onCommit)
  const batches = new BatchCommit(pool, accepting, onCommit)
  return {
    append: (append) => groups.append(append),
    appendBatch: (batch) => batches.append(batch),
  }
}
