import type { Redact } from './place.js'

const NOTHING = '{}'

/** The attributes of a link. Where it leads stays; whoever may, can delete the link itself. */
export const redactLink: Redact = async (client, { scope, spaceId, subjectId }) => {
  const { rows } = await client.query<{ attributes: string }>(
    'SELECT attributes FROM links WHERE tenant_id = $1 AND space_id = $2 AND link_id = $3',
    [scope, spaceId, subjectId],
  )
  const [found] = rows
  if (!found) return null
  if (found.attributes === NOTHING) return { isNew: false }
  await client.query('UPDATE links SET attributes = $4 WHERE tenant_id = $1 AND space_id = $2 AND link_id = $3', [
    scope,
    spaceId,
    subjectId,
    NOTHING,
  ])
  return { isNew: true }
}
