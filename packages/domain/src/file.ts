import type { Member } from './actor.js'
import { conflict, DomainError, forbidden, invalid, unknown } from './errors.js'
import { owns } from './space.js'

/** The size of a stored chunk of a content in bytes; the last one may be smaller. */
export const CHUNK_BYTES = 256 * 1024

/** The maximum size of a file, unless the operator sets another one. */
export const DEFAULT_MAX_FILE_BYTES = 25 * 1024 * 1024

/** The type of a file whose sender names none. */
export const DEFAULT_CONTENT_TYPE = 'application/octet-stream'

/** A file as an event names it. The sealed history covers the bytes by their hash. */
export interface EventFile {
  readonly file_id: string
  readonly name: string
  readonly content_type: string
  readonly size: number
  /** In hexadecimal. */
  readonly sha256: string
}

export const unknownFile = () => unknown('File')

export const fileAttached = () => conflict('The file belongs to an event already: upload it again for another one')

export const fileDeleted = () => conflict('The file was deleted: upload it again')

export const fileTooLarge = (limit: number) => new DomainError('too_large', `The file is larger than ${limit} bytes`)

/** A file's bytes are neither sent nor received in a typed call. */
export const onlyOverRest = (route: string) =>
  new DomainError('unsupported', `The bytes of a file are not part of a typed call; use REST: ${route}`)

/** Throws unless the caller uploaded a file, or governs its space. */
export function requireCanDeleteFile(caller: Member, uploadedBy: string, owners: readonly string[]): void {
  if (caller.actorId === uploadedBy || caller.isAdmin || owns(caller, owners)) return
  throw forbidden('Only its uploader and owners of the space may delete a file')
}

/** Returns the problem of a file's name; null for a valid one. Names become those of files on the readers' machines. */
export function fileNameProblem(name: string): string | null {
  if (/[/\\]/.test(name)) return 'must be a name without / and \\, not a path'
  return name === '.' || name === '..' ? 'must not be . or ..' : null
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
/** RFC 9110, section 8.3.1. */
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}([ \\t]*;[ \\t]*${TOKEN}=(${TOKEN}|"[ !#-\\[\\]-~]*"))*$`)

export const isMediaType = (text: string): boolean => MEDIA_TYPE.test(text)

/** A part of a content: from a byte up to another one, exclusive. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

const RANGE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i

/**
 * Returns the part that a `Range` header asks for (RFC 9110, section 14). Null for a header that asks for several parts or
 * in another unit, which is answered with the whole; `unsatisfiable` for a part beyond the end.
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const [, first, last, suffix] = RANGE.exec(header?.trim() ?? '') ?? []
  if (suffix !== undefined) {
    return Number(suffix) === 0 || size === 0 ? 'unsatisfiable' : { from: Math.max(0, size - Number(suffix)), to: size }
  }
  if (first === undefined) return null
  const from = Number(first)
  const to = last === undefined ? size : Math.min(size, Number(last) + 1)
  if (last !== undefined && Number(last) < from) return null
  return from >= size ? 'unsatisfiable' : { from, to }
}

/** Whether an `If-None-Match` header names an entity tag, strongly or weakly. */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  (header ?? '').split(',').some((each) => {
    const named = each.trim()
    return named === '*' || named.replace(/^W\//, '') === tag
  })

const DIGEST = /(?:^|[,\s])sha-256=(?::([A-Za-z0-9+/]+={0,2}):|([A-Za-z0-9+/]+={0,2}))(?=[\s,;]|$)/i

/**
 * Returns the SHA-256 of a header `Content-Digest` or `Repr-Digest` (RFC 9530), or `Digest` (RFC 3230), in base64; null if
 * it has only others. 400 for one of another length.
 */
export function digestIn(field: string, header: string): string | null {
  const [, structured, plain] = DIGEST.exec(header) ?? []
  const digest = structured ?? plain
  if (digest === undefined) return null
  if (!/^[A-Za-z0-9+/]{43}=$/.test(digest)) throw invalid(field, 'must have a SHA-256 in base64, such as sha-256=:…:')
  return digest
}

/** Returns the value of `Content-Disposition`: with the name in ASCII, and as it is (RFC 6266, RFC 8187). */
export function dispositionOf(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^ -~]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** The text of a part of a content. */
export interface TextPart {
  readonly text: string
  /** Where in the part it begins and ends: without characters that another part has, too. */
  readonly from: number
  readonly to: number
}

/** Returns the text of a part of a content by its bytes: UTF-8 without NUL. Null for any other content. */
export function textPartOf(
  bytes: Uint8Array,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): TextPart | null {
  if (bytes.includes(0)) return null
  let from = 0
  while (!isFirst && from < 3 && isContinuation(bytes[from] ?? 0)) from++
  const to = isLast ? bytes.length : endOfCharacters(bytes)
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return { text: decoder.decode(bytes.subarray(from, to)), from, to }
  } catch {
    return null
  }
}

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80

/** Returns the end of the last whole character, of which the first byte says how many follow. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 4); at--) {
    const byte = bytes[at] as number
    if (isContinuation(byte)) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return at + length > bytes.length ? at : bytes.length
  }
  return bytes.length
}
