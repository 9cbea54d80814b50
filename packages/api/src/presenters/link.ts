import type { LinkRecord } from '@collab-spaces/db'
import type { z } from 'zod'
import type { Link } from '../schemas/link.js'

export const presentLink = (link: LinkRecord): z.infer<typeof Link> => ({
  link_id: link.linkId,
  space_id: link.spaceId,
  target_id: link.targetId,
  target_uri: link.targetUri,
  link_type: link.linkType,
  attributes: JSON.parse(link.attributes),
  created_by: link.createdBy,
  created_at: link.createdAt.toISOString(),
})
