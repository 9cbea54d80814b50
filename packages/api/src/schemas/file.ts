import { fileNameProblem, isMediaType, LIMITS, PAGES } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, idempotencyKey, integer, list, moment, name, optional, text } from './field.js'

const space_id = id('The space')

const sha256 = z.string().meta({ description: 'The SHA-256 of the bytes, in hexadecimal' })

export const File = z
  .object({
    file_id: z.string(),
    space_id: z.string(),
    name: z.string(),
    content_type: z.string().meta({ description: 'As its sender named it' }),
    size: z.int().meta({ description: 'In bytes' }),
    sha256: sha256.nullable(),
    uploaded_by: z.string(),
    event_id: z.string().nullable().meta({ description: 'The event that names it' }),
    created_at: moment(),
    deleted_at: moment().nullable(),
  })
  .meta({ id: 'File' })
export type File = z.output<typeof File>

/** A file as an event names it. */
export const EventFile = File.pick({ file_id: true, name: true, content_type: true, size: true })
  .extend({ sha256 })
  .meta({ id: 'EventFile' })

/** The ids of the files of an event. */
export const fileIds = () =>
  optional(
    list(z.string({ error: 'must be strings' }), LIMITS.eventFiles, 'strings').refine(
      (ids) => new Set(ids).size === ids.length,
      { error: 'must not name a file twice' },
    ),
  ).meta({ description: 'Files of the space that the caller has uploaded, and no event names yet. Extension' })

const digest = optional(z.string())

export const UploadFile = z.object({
  space_id,
  name: name(LIMITS.fileName)
    .superRefine((value, context) => {
      const problem = fileNameProblem(value)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })
    .meta({ description: 'The name, without / and \\' }),
  content_type: optional(
    text(LIMITS.contentType).refine(isMediaType, { error: 'must be a media type such as text/plain' }),
  ),
  content_digest: digest,
  repr_digest: digest,
  digest,
  idempotency_key: idempotencyKey(),
})

export const ListFiles = z.object({
  space_id,
  before: optional(z.string()).meta({ description: 'File id: the page just before it' }),
  limit: integer(PAGES.files),
})

export const FileId = z.object({ space_id, file_id: id('The file') })

const header = optional(z.string())

export const FileContent = FileId.extend({ range: header, if_range: header, if_none_match: header })

export const FileTicket = z
  .object({ ticket: z.string(), expires_at: moment().meta({ description: 'Until when it opens the file' }) })
  .meta({ id: 'FileTicket' })
