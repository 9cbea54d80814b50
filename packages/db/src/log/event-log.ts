import type { SpaceStatus } from '@collab-spaces/domain'
import type { Patience } from '../connection/patience.js'
import type { Pools } from '../connection/pools.js'
import type { Append, AppendOutcome, BatchOutcome, Committed } from './append.js'
import { BatchCommit } from './batch.js'
import { GroupCommit } from './group.js'

export type EventLog = ReturnType<typeof openEventLog>

/** Writes to the event log. `onCommit` gets every committed event before its writer is answered. */
export function openEventLog(
  { requests, long }: Pick<Pools, 'requests' | 'long'>,
  accepting: readonly SpaceStatus[],
  patience: Patience,
  onCommit: (committed: readonly Committed[]) => void,
) {
  const groups = new GroupCommit(requests, accepting, onCommit, patience)
  const batches = new BatchCommit(long, accepting, onCommit)
  return {
    /** Appends one event, which shares its commit with others that arrive at the same time. */
    append: (append: Append): Promise<AppendOutcome> => groups.append(append),
    /** Appends events to one space, consecutively and in their order: all or none. */
    appendBatch: (batch: readonly Append[]): Promise<BatchOutcome> => batches.append(batch),
  }
}
