import { shorten } from './cut.js'
import { currentText } from './revision.js'

/** An event, or the beginning of one, as an excerpt reads it. */
export interface ExcerptSource<F extends { readonly file_id: string; readonly name: string }> {
  readonly text: string
  readonly current_text?: string | undefined
  readonly retracted_by?: string | undefined
  readonly redacted_at?: string | undefined
  readonly files?: readonly F[] | undefined
  /** The ids of those that were deleted since. */
  readonly deleted_files?: readonly string[] | undefined
}

type NamedFile = { readonly file_id: string; readonly name: string }

/** Returns the files of an event that a reader can still open. */
export const filesOf = <F extends NamedFile>(event: ExcerptSource<F>): readonly F[] =>
  event.retracted_by === undefined && event.redacted_at === undefined
    ? (event.files ?? []).filter(({ file_id }) => !event.deleted_files?.includes(file_id))
    : []

/** What an excerpt of an event says. */
export interface ExcerptParts {
  /** Its text; empty where its files say all. */
  readonly text: string
  /** The name of its first file, and how many others it has; null where the text says enough. */
  readonly files: { readonly first: string; readonly others: number } | null
}

/** A longer text says enough without the names of files, in UTF-16 units. */
const LITTLE_TEXT = 80
const MAX_NAME = 60

/** Returns what an excerpt of an event says: beside little text, the names of its files. */
export function excerptParts(event: ExcerptSource<NamedFile>): ExcerptParts {
  const text = currentText(event)
  const [first, ...others] = filesOf(event)
  if (!first || text.length > LITTLE_TEXT || text.includes(first.name)) return { text, files: null }
  const files = { first: shorten(first.name, MAX_NAME), others: others.length }
  return { text: /[\p{L}\p{N}]/u.test(text) ? text : '', files }
}

/** Returns an excerpt of an event in English, such as `Here it is (plan.pdf and 2 other files)`. */
export function excerptText(event: ExcerptSource<NamedFile>): string {
  const { text, files } = excerptParts(event)
  if (files === null) return text
  const named = namesInWords(files)
  return text === '' ? `Sent ${named}` : `${text} (${named})`
}

/** Returns the names of the files of an excerpt, such as `plan.pdf and 2 other files`. */
export const namesInWords = ({ first, others }: NonNullable<ExcerptParts['files']>): string =>
  others === 0 ? first : `${first} and ${others} other file${others === 1 ? '' : 's'}`
