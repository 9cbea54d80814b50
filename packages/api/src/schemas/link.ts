import { LIMITS, LINK_DIRECTIONS } from '@collab-spaces/domain'
import { z } from 'zod'
import { externalLink, freeObject, id, moment, oneOf, optional, text } from './field.js'

export const Link = z
  .object({
    link_id: z.string(),
    space_id: z.string(),
    target_id: z.string().nullable(),
    target_uri: z.string().meta({ format: 'uri' }).nullable(),
    link_type: z.string(),
    attributes: freeObject(),
    created_by: z.string(),
    created_at: moment(),
  })
  .meta({ id: 'Link' })

const space_id = id('The space')

export const CreateLink = z.object({
  space_id,
  target_id: optional(text(LIMITS.uri)).meta({ description: 'Another space; otherwise send target_uri' }),
  target_uri: optional(externalLink()),
  link_type: optional(text(LIMITS.linkType)).meta({ description: 'Default: related' }),
  attributes: optional(freeObject()),
})

export const ListLinks = z.object({
  space_id,
  link_type: optional(text(LIMITS.linkType)),
  direction: optional(oneOf(LINK_DIRECTIONS)).meta({
    description: 'Its own links (out, the default), those of other spaces that lead to it, or both. Extension',
  }),
})

export const LinkId = z.object({ space_id, link_id: id('The link') })
