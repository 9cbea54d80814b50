import { REDACTED_TEXT, redactedText } from '@collab-spaces/domain'
import type { Redact } from './place.js'

/** Erases the title and the description of a space, and the URLs that belong to it. Its events stay. */
export const redactAboutSpace: Redact = async (client, { scope, spaceId }) => {
  const place = [scope, spaceId]
  const { rows } = await client.query<{ title: string | null; description: string; links: string[] }>(
    'SELECT title, description, links FROM spaces WHERE tenant_id = $1 AND space_id = $2',
    place,
  )
  const [found] = rows
  if (!found) return null
  const isTitled = ![null, REDACTED_TEXT].includes(found.title)
  const isDescribed = !['', REDACTED_TEXT].includes(found.description)
  if (!isTitled && !isDescribed && found.links.length === 0) return { isNew: false }
  await client.query(
    `UPDATE spaces SET title = $3, description = $4, links = '{}' WHERE tenant_id = $1 AND space_id = $2`,
    [...place, redactedText(found.title), REDACTED_TEXT],
  )
  return { isNew: true }
}
