import type { Download, WholeFile } from '@collab-spaces/api'
import {
  type ByteRange,
  DomainError,
  fileAttributes,
  invalid,
  isReadByModels,
  MAX_MODEL_IMAGE_BYTES,
  textPartOf,
} from '@collab-spaces/domain'

/** The part of a text file that a model reads at a time, in bytes. */
const TEXT_PART = { min: 100, max: 100_000, default: 20_000 } as const

/** The maximum size of a resource. */
const MAX_WHOLE_BYTES = 2 * 1024 * 1024

/** A file as a model reads it: a part of its text, or an image, or only what it is. */
export interface ReadFile {
  readonly file_id: string
  readonly name: string
  readonly content_type: string
  readonly size: number
  readonly sha256: string
  readonly text?: string
  readonly next_offset?: number | null
  readonly image?: Image
  /** How to get the bytes that are neither. */
  readonly download?: string
}

interface Image {
  readonly data: string
  readonly mimeType: string
}

/** Reads a part of a text, from a byte on, or a small image. */
export async function readFile(
  download: Download<WholeFile>,
  sent: Readonly<Record<string, unknown>>,
): Promise<ReadFile> {
  const { fileId, spaceId, name, contentType, size, sha256, imageType } = download.file
  const file = { file_id: fileId, name, content_type: contentType, size, sha256 }
  const offset = wholeNumber('offset', sent.offset ?? 0, { min: 0, max: Number.MAX_SAFE_INTEGER })
  const limit = wholeNumber('limit', sent.limit ?? TEXT_PART.default, TEXT_PART)
  if (isReadByModels(imageType) && size <= MAX_MODEL_IMAGE_BYTES) {
    const bytes = await bytesOf(download, { from: 0, to: size })
    return { ...file, image: { data: bytes.toString('base64'), mimeType: imageType } }
  }
  const from = Math.min(offset, size)
  const part = { from, to: Math.min(size, from + limit) }
  const text = textPartOf(await bytesOf(download, part), { isFirst: from === 0, isLast: part.to === size })
  if (text) {
    return { ...file, text: text.text, next_offset: part.to === size ? null : from + text.to }
  }
  const path = `/api/spaces/${encodeURIComponent(spaceId)}/files/${fileId}/content`
  return { ...file, download: `It is neither text nor a small image. Download it: GET ${path}, with your credential` }
}

/** Renders what was read for a model. */
export function fileText({ text, next_offset = null, download, ...file }: ReadFile): string {
  const { id, ...attributes } = fileAttributes(file)
  const what = Object.entries({ file: id, ...attributes }).map(([name, value]) => `${name}: ${value}`)
  const rest = next_offset === null ? [] : [`There is more: call again with the offset ${next_offset}`]
  return [what.join(', '), text ?? download ?? 'The image follows.', ...rest].join('\n')
}

/** The content of a file as a resource. */
type FileResource = { readonly mimeType: string } & ({ readonly text: string } | { readonly blob: string })

/** Reads a whole file of a few megabytes. The type of a text is not what its sender says. */
export async function readWholeFile(download: Download<WholeFile>): Promise<FileResource> {
  const { size, imageType } = download.file
  if (size > MAX_WHOLE_BYTES) {
    throw new DomainError('too_large', `The file is larger than ${MAX_WHOLE_BYTES} bytes: read its text with read_file`)
  }
  const bytes = await bytesOf(download, { from: 0, to: size })
  const text = imageType === null ? textPartOf(bytes, { isFirst: true, isLast: true }) : null
  if (text) return { mimeType: 'text/plain', text: text.text }
  return { mimeType: imageType ?? 'application/octet-stream', blob: bytes.toString('base64') }
}

async function bytesOf(download: Download<WholeFile>, part: ByteRange): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of download.bytes(part)) pieces.push(piece)
  return Buffer.concat(pieces)
}

function wholeNumber(field: string, value: unknown, { min, max }: { min: number; max: number }): number {
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return value as number
  throw invalid(field, `must be a whole number from ${min} to ${max}`)
}
