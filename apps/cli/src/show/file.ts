import type { File } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { fields, numberedTable } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const

/** Returns a size for people, such as `1.5 MiB`. */
export function sizeInWords(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1)
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${UNITS[power]}`
}

export function listOfFiles(files: readonly File[], space_id: string, style: Style): Text {
  if (files.length === 0) return `No files. Add one: spaces say ${space_id} --file PATH "Look at this"`
  return numberedTable(style, files, {
    file: ({ file_id }) => file_id,
    name: ({ name }) => name,
    size: ({ size, deleted_at }) => (deleted_at === null ? sizeInWords(size) : 'deleted'),
    type: ({ content_type }) => content_type,
    added: ({ created_at }) => relativeTime(created_at),
  })
}

export const oneFile = (file: File, style: Style): Text =>
  fields(style, [
    ['file', style.bold(file.file_id)],
    ['name', file.name],
    ['size', sizeInWords(file.size)],
    ['type', file.content_type],
    ['sha256', file.sha256],
    ['event', file.event_id],
    ['added', relativeTime(file.created_at)],
  ])
