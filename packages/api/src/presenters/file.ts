import type { FileRecord } from '@collab-spaces/db'
import type { EventFile } from '@collab-spaces/domain'
import type { File } from '../schemas/file.js'

export const presentFile = (file: FileRecord): File => ({
  file_id: file.fileId,
  space_id: file.spaceId,
  name: file.name,
  content_type: file.contentType,
  size: file.size,
  sha256: file.sha256,
  uploaded_by: file.uploadedBy,
  event_id: file.eventId,
  created_at: file.createdAt.toISOString(),
  deleted_at: file.deletedAt?.toISOString() ?? null,
})

/** Presents a file as its event names it. One without a hash is of a redacted event, and the log refuses it. */
export const presentEventFile = ({ fileId, name, contentType, size, sha256 }: FileRecord): EventFile => ({
  file_id: fileId,
  name,
  content_type: contentType,
  size,
  sha256: sha256 ?? '',
})
