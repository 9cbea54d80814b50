/**
 * Participants' texts, between tags that they cannot close: in the text, a `<` that would begin or end one of our tags
 * is written `&lt;`. The attributes are ours, or escaped.
 */

export type Tag = 'space' | 'decision' | 'event' | 'summary' | 'claim'

const TAG_LIKE = /<(?=[\s/]*(?:space|decision|event|summary|claim)\b)/gi

export type Attributes = Readonly<Record<string, string | null>>

/** One of our elements. Attributes that are null are left out. */
export function delimited(tag: Tag, attributes: Attributes, text: string): string {
  const given = Object.entries(attributes).flatMap(([name, value]) =>
    value === null ? [] : ` ${name}="${attributeValue(value)}"`,
  )
  return `<${tag}${given.join('')}>\n${text.replace(TAG_LIKE, '&lt;')}\n</${tag}>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Returns a value on one line, without invisible characters. */
const attributeValue = (value: string) =>
  value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').replace(/[&<>"]/g, (character) => ENTITIES[character] as string)
