import { REDACTED_TEXT } from '@collab-spaces/domain'
import type { Redact } from './place.js'

/** The description of a space, and the URLs that belong to it. What was said in the space stays. */
export const redactDescription: Redact = async (client, { scope, spaceId }) => {
  const place = [scope, spaceId]
  const { rows } = await client.query<{ description: string; links: string[] }>(
    'SELECT description, links FROM spaces WHERE tenant_id = $1 AND space_id = $2',
    place,
  )
  const [found] = rows
  if (!found) return null
  if (['', REDACTED_TEXT].includes(found.description) && found.links.length === 0) return { isNew: false }
  await client.query(`UPDATE spaces SET description = $3, links = '{}' WHERE tenant_id = $1 AND space_id = $2`, [
    ...place,
    REDACTED_TEXT,
  ])
  return { isNew: true }
}
