import { MalformedValue } from '@collab-spaces/domain'
import type { Ids, Row, Target } from './column.js'
import { readAct, timestamp, whyUnreadable } from './stored-json.js'

export const EVENT_COLUMNS = {
  space_id: 's.space_id',
  event_id: 's.event_id',
  thread_id: 's.thread_id',
  speaker_id: 's.speaker_id',
  posted_by: 's.posted_by',
  timestamp: timestamp('s.occurred_at'),
}

export const ACT_COLUMNS = {
  space_id: 's.space_id',
  position: 's.position',
  decision_id: 's.decision_id',
  actor_id: 's.actor_id',
}

export function parseAct(value: unknown, { wire: _, ...columns }: Row): void {
  const [problem] = readAct({ wire: String(value), columns: columns as Record<string, string | number | null> })
  if (problem !== undefined) throw new MalformedValue(problem)
}

export function parseEvent(value: unknown, { wire: _, timestamp, ...columns }: Row): void {
  const problem = whyUnreadable({
    wire: String(value),
    timestamp: String(timestamp),
    columns: columns as Record<string, string | null>,
  })
  if (problem !== undefined) throw new MalformedValue(`cannot be read: ${problem}`)
}

export const ACT = 's.wire::jsonb'

export const inAct = (field: string, target: Target): Ids => ({
  target,
  select: `SELECT ${ACT} ->> '${field}' AS id WHERE ${ACT} ->> '${field}' IS NOT NULL`,
})
