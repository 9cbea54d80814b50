import type { IconName } from '../../shared/components/Icon'

/** How the page shows a file. */
export type FileKind = 'image' | 'markdown' | 'csv' | 'text' | 'other'

/** The part of a file that says what it is. Its sender has named both. */
export interface NamedFile {
  readonly name: string
  readonly content_type: string
}

/** The images that the server sends as such, if their bytes are. */
const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

/** Types that are text, besides `text/…`. */
const TEXT_TYPE = /^application\/(?:json|xml|javascript|yaml|toml|sql|x-sh|[\w.-]+\+(?:json|xml))$/

/** Extensions of text files, whose types browsers do not know or name differently. */
const TEXT_EXTENSIONS =
  /^(?:txt|log|json|jsonl|ndjson|xml|html?|svg|ya?ml|toml|ini|conf|env|diff|patch|sql|sh|bash|[cm]?[jt]sx?|py|rb|rs|go|java|kt|swift|c|h|cc|cpp|hpp|cs|php|css|scss|less|lua|pl|r|tex|graphql|vue|svelte|dockerfile|makefile|ics|vtt|srt)$/

/** Returns the extension of a name in lower case; the name itself without one. */
export const extensionOf = (name: string): string => (name.split('.').at(-1) ?? '').toLowerCase()

const typeOf = (file: NamedFile): string => (file.content_type.split(';')[0] ?? '').trim().toLowerCase()

export function kindOf(file: NamedFile): FileKind {
  const type = typeOf(file)
  const extension = extensionOf(file.name)
  if (IMAGES.includes(type)) return 'image'
  if (type === 'text/markdown' || extension === 'md' || extension === 'markdown') return 'markdown'
  if (type === 'text/csv' || extension === 'csv' || extension === 'tsv') return 'csv'
  return type.startsWith('text/') || TEXT_TYPE.test(type) || TEXT_EXTENSIONS.test(extension) ? 'text' : 'other'
}

const ICONS: Readonly<Record<FileKind, IconName>> = {
  image: 'image',
  markdown: 'summary',
  csv: 'table',
  text: 'summary',
  other: 'file',
}

export const iconOf = (file: NamedFile): IconName => ICONS[kindOf(file)]

/** Returns a short word for the type of a file: its extension, or else its type. */
export function typeInWords(file: NamedFile): string {
  const extension = file.name.includes('.') ? extensionOf(file.name) : ''
  return /^\w{1,8}$/.test(extension) ? extension.toUpperCase() : typeOf(file)
}
