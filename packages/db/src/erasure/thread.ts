import { isUuid, REDACTED_TEXT } from '@collab-spaces/domain'
import type { Redact } from './place.js'

/** Redacts the subject of a thread. The events in it stay. */
export const redactThread: Redact = async (client, { scope, spaceId, subjectId }) => {
  if (!isUuid(subjectId)) return null
  const { rows } = await client.query<{ subject: string }>(
    'SELECT subject FROM threads WHERE tenant_id = $1 AND space_id = $2 AND thread_id = $3',
    [scope, spaceId, subjectId],
  )
  const [found] = rows
  if (!found) return null
  if (found.subject === REDACTED_TEXT) return { isNew: false }
  await client.query('UPDATE threads SET subject = $4 WHERE tenant_id = $1 AND space_id = $2 AND thread_id = $3', [
    scope,
    spaceId,
    subjectId,
    REDACTED_TEXT,
  ])
  return { isNew: true }
}
