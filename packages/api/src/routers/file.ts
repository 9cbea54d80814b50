import { databaseClock } from '@collab-spaces/db'
import { noServerKey, unknownFile, type Viewer } from '@collab-spaces/domain'
import { z } from 'zod'
import { downloadOf } from '../files/download.js'
import { receiveFile } from '../files/upload.js'
import { presentFile } from '../presenters/file.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { Done } from '../schemas/actor.js'
import { File, FileContent, FileId, FileTicket, ListFiles, UploadFile } from '../schemas/file.js'
import type { Services } from '../services.js'

async function requireFile({ database }: Services, viewer: Viewer, spaceId: string, fileId: string) {
  const file = await database.files.find(viewer, spaceId, fileId)
  if (!file) throw unknownFile()
  return file
}

export const fileRouter = router({
  upload: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'upload',
      bytes: 'in',
      route: 'POST /api/spaces/{space_id}/files',
      tags: ['Files', 'Extensions'],
      summary: 'Upload a file for an event',
      description: 'The body is the bytes, of the type in `Content-Type`.',
      returns: 'file',
      errors: [409],
      headers: {
        'Content-Type': 'content_type',
        'Content-Digest': 'content_digest',
        'Repr-Digest': 'repr_digest',
        Digest: 'digest',
        'Idempotency-Key': 'idempotency_key',
      },
    })
    .input(UploadFile)
    .output(File)
    .mutation(async ({ ctx: { caller, services, upload }, input }) =>
      presentFile(await receiveFile({ services, caller, upload, input })),
    ),

  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/files',
      tags: ['Files', 'Extensions'],
      summary: 'List the files of a space, newest first',
      returns: 'files of its events, and unattached ones of the caller',
    })
    .input(ListFiles)
    .output(z.array(File))
    .query(async ({ ctx: { caller, services }, input: { space_id, before, limit } }) => {
      const space = await requireSpace(services, caller, space_id)
      return (await services.database.files.list(caller, space, before, limit)).map(presentFile)
    }),

  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/files/{file_id}',
      tags: ['Files', 'Extensions'],
      summary: 'Get a file without its bytes',
      returns: 'file',
    })
    .input(FileId)
    .output(File)
    .query(async ({ ctx: { caller, services }, input: { space_id, file_id } }) =>
      presentFile(await requireFile(services, caller, space_id, file_id)),
    ),

  content: procedure
    .meta({
      caller: 'actorOrFileTicket',
      scope: 'read',
      cost: 'row',
      bytes: 'out',
      route: 'GET /api/spaces/{space_id}/files/{file_id}/content',
      tags: ['Files', 'Extensions'],
      summary: 'Download the bytes of a file',
      description: 'Takes `Range`, `If-Range` and `If-None-Match`.',
      returns: 'its bytes',
      headers: { Range: 'range', 'If-Range': 'if_range', 'If-None-Match': 'if_none_match' },
    })
    .input(FileContent)
    .output(z.string())
    .query(async ({ ctx: { caller, services }, input }) => {
      const file = await requireFile(services, caller, input.space_id, input.file_id)
      const { contentId, sha256 } = file
      if (contentId === null || sha256 === null) throw unknownFile()
      const { range, if_range: ifRange, if_none_match: ifNoneMatch } = input
      return downloadOf(services, caller, { ...file, contentId, sha256 }, { range, ifRange, ifNoneMatch })
    }),

  ticket: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'POST /api/spaces/{space_id}/files/{file_id}/tickets',
      tags: ['Files', 'Extensions'],
      summary: 'Create a ticket for the bytes of a file',
      description: 'Opens them as `?token=` for a minute, such as for an `<img>`.',
      returns: '`{ticket, expires_at}`',
      errors: [409],
      idempotent: true,
    })
    .input(FileId)
    .output(FileTicket)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, file_id } }) => {
      const { streamTickets } = services
      if (!streamTickets) throw noServerKey('Tickets')
      await requireFile(services, caller, space_id, file_id)
      const subject = { spaceId: space_id, fileId: file_id }
      const { ticket, expiresAt } = streamTickets.issue(caller.credentialHash, subject, databaseClock.now())
      return { ticket, expires_at: expiresAt.toISOString() }
    }),

  delete: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: 'DELETE /api/spaces/{space_id}/files/{file_id}',
      tags: ['Files', 'Extensions'],
      summary: 'Delete the bytes of a file',
      description: 'By its uploader or an owner. Its row and what events say of it stay; a second time is no error.',
    })
    .input(FileId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, file_id } }) => {
      await services.database.files.delete(caller, space_id, file_id, databaseClock.now())
      return { ok: true }
    }),
})
