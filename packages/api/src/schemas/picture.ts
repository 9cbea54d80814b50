import { isBase64, LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, optional, orRequired, stringError } from './field.js'

const actor_id = id('The actor')

/** Four characters for three bytes. */
const MAX_BASE64 = Math.ceil(LIMITS.pictureBytes / 3) * 4

export const SetPicture = z.object({
  actor_id,
  content: z
    .string({ error: stringError })
    // To format a number loads Node's data about languages, of 7 MB.
    .max(MAX_BASE64, { error: () => `must be at most ${LIMITS.pictureBytes.toLocaleString('en')} bytes`, abort: true })
    .min(1, { error: 'must not be empty: DELETE removes the picture', abort: true })
    .refine(isBase64, { error: 'must be base64, without line breaks', abort: true })
    .meta({ description: 'A PNG, JPEG or WebP image in base64' }),
})

export const PictureId = z.object({ actor_id })

export const ReadPicture = z.object({
  actor_id,
  sha256: optional(z.string({ error: 'must be a string' })).meta({
    description: 'The picture of this SHA-256, which clients may keep; 404 once the actor has another one',
  }),
  if_none_match: optional(z.string({ error: 'must be a string' })),
})

/** One text, as a query has it. */
const actorIds = z
  .string({ error: orRequired('must be ids of actors, separated by commas') })
  .transform((ids) => ids.split(',').filter((id) => id !== ''))
  .refine(({ length }) => length > 0 && length <= LIMITS.pictures, {
    error: `must be 1 to ${LIMITS.pictures} ids of actors`,
  })
  .meta({ description: `Up to ${LIMITS.pictures}, separated by commas` })

export const ListPictures = z.object({ actor_ids: actorIds })

export const Picture = z
  .object({ actor_id: z.string(), picture: z.string().meta({ description: 'Its SHA-256, in hexadecimal' }) })
  .meta({ id: 'Picture' })
