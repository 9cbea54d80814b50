/**
 * Participants' texts, between tags that they cannot close: in the text, a `<` that would begin or end one of our tags
 * is written `&lt;`. The attributes are ours, or escaped.
 */

export type Tag = 'space' | 'decision' | 'event' | 'file' | 'summary' | 'claim'

const TAG_LIKE = /<(?=[\s/]*(?:space|decision|event|file|summary|claim)\b)/gi

export type Attributes = Readonly<Record<string, string | null>>

/** One of our elements, with others in it after its text. Attributes that are null are left out. */
export function delimited(tag: Tag, attributes: Attributes, text: string, inner: readonly string[] = []): string {
  return [`<${opened(tag, attributes)}>`, text.replace(TAG_LIKE, '&lt;'), ...inner, `</${tag}>`].join('\n')
}

/** One of our elements that has no text. */
export const emptyElement = (tag: Tag, attributes: Attributes): string => `<${opened(tag, attributes)}/>`

const opened = (tag: Tag, attributes: Attributes): string =>
  tag +
  Object.entries(attributes)
    .flatMap(([name, value]) => (value === null ? [] : ` ${name}="${attributeValue(value)}"`))
    .join('')

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Returns a value on one line, without invisible characters. */
const attributeValue = (value: string) =>
  value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').replace(/[&<>"]/g, (character) => ENTITIES[character] as string)

/** A file as its event names it. */
export interface NamedFile {
  readonly file_id: string
  readonly name: string
  readonly content_type: string
  readonly size: number
}

/** Returns the attributes of an element for a file. */
export const fileAttributes = ({ file_id, name, content_type, size }: NamedFile) => ({
  id: file_id,
  name,
  type: content_type,
  size: String(size),
})
