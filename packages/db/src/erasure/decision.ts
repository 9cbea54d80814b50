import { REDACTED_TEXT, redactedAct, redactedText } from '@collab-spaces/domain'
import { leafHashOf, type Redact } from './place.js'

interface Texts {
  readonly text: string
  readonly resolution: string | null
}

/**
 * Erases what a decision proposes, how it was resolved, and what its reviewers noted: from its row and from its acts,
 * so that these still tell how the row came about. Who did what, when, and under which rules stays. A resolution or a
 * review that comes later can be redacted by asking again.
 */
export const redactDecision: Redact = async (client, { scope, spaceId, subjectId }) => {
  const key = [scope, spaceId, subjectId]
  const { rows } = await client.query<Texts>(
    `SELECT text, resolution FROM decisions
     WHERE tenant_id = $1 AND space_id = $2 AND decision_id = $3 FOR NO KEY UPDATE`,
    key,
  )
  const [found] = rows
  if (!found) return null
  const { rows: acts } = await client.query<{ position: number; wire: string }>(
    `SELECT position, wire FROM decision_acts
     WHERE tenant_id = $1 AND space_id = $2 AND decision_id = $3 ORDER BY position`,
    key,
  )
  const changed = acts.filter(({ wire }) => redactedAct(wire) !== wire)
  const resolution = redactedText(found.resolution)
  const isNew = changed.length > 0 || found.text !== REDACTED_TEXT || found.resolution !== resolution
  if (!isNew) return { isNew }

  await client.query(
    `UPDATE decisions SET text = $4, resolution = $5 WHERE tenant_id = $1 AND space_id = $2 AND decision_id = $3`,
    [...key, REDACTED_TEXT, resolution],
  )
  for (const { position, wire } of changed) {
    await client.query('UPDATE decision_acts SET wire = $4 WHERE tenant_id = $1 AND space_id = $2 AND position = $3', [
      scope,
      spaceId,
      position,
      redactedAct(wire),
    ])
  }
  const actHashes = Object.fromEntries(
    changed.map(({ position, wire }) => [position, leafHashOf(wire).toString('hex')]),
  )
  return { isNew, actHashes }
}
