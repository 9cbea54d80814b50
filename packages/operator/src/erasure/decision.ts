import { LEAF } from '@collab-spaces/db'
import { redactedAct } from '@collab-spaces/domain'
import type { Redact } from './place.js'
import { redactClaimsOn, redactRow } from './row.js'

interface StoredAct {
  readonly position: number
  readonly wire: string
  readonly leafHash: Buffer
}

/**
 * Erases user content about a decision: from its row, from its acts, so that they still replay to the row, from the
 * subject of its thread, and from the claims on it. Actors, actions, times and rules stay. Another call redacts later content.
 */
export const redactDecision: Redact = async (client, redaction, now) => {
  const { tenantId, spaceId, subjectId } = redaction
  const key = [tenantId, spaceId, subjectId]
  const row = await redactRow({ noun: 'decision', table: 'decisions', id: 'decision_id' })(client, redaction, now)
  if (!row) return null
  const thread = await redactRow({ noun: 'decision', table: 'threads', id: 'decision_id' })(client, redaction, now)
  const { rows: acts } = await client.query<StoredAct>(
    `SELECT position, wire, ${LEAF} AS "leafHash" FROM decision_acts e
     WHERE tenant_id = $1 AND space_id = $2 AND decision_id = $3 ORDER BY position`,
    key,
  )
  const hadClaims = await redactClaimsOn(client, 'decision', [tenantId, spaceId], [subjectId])
  const changed = acts.filter(({ wire }) => redactedAct(wire) !== wire)
  if (!row.isNew && !thread?.isNew && !hadClaims && changed.length === 0) return { isNew: false }

  for (const { position, wire } of changed) {
    await client.query(
      `UPDATE decision_acts SET wire = $4, nonce = '' WHERE tenant_id = $1 AND space_id = $2 AND position = $3`,
      [tenantId, spaceId, position, redactedAct(wire)],
    )
  }
  const actHashes = Object.fromEntries(changed.map(({ position, leafHash }) => [position, leafHash.toString('hex')]))
  return { isNew: true, actHashes }
}
