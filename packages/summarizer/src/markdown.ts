import { cutText, shorten } from '@collab-spaces/domain'

const CONTROL_OR_FORMAT = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu
/** Text that a Markdown renderer may turn into a link on its own. */
const LINK_LIKE =
  /(?:\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.|\b(?:mailto|xmpp|javascript|data):)[^\s`]+|[^\s`]+@[^\s`]+\.[^\s`]+/giu

/** No script needs more marks on a letter, and a stack of them would cover adjacent lines. */
const HEAP_OF_MARKS = /(\p{M}{8})\p{M}+/gu

/**
 * Returns one line of plain text: no line breaks, and no invisible characters except the joiners of scripts and emoji.
 */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(/\s+/g, ' ').replace(CONTROL_OR_FORMAT, '').replace(HEAP_OF_MARKS, '$1').trim()
}

/**
 * Returns a text as one line of Markdown that renders as exactly this text, without emphasis, links, images, HTML, code
 * or citations. Addresses are put in code, where no renderer turns them into links. No block (heading, list, rule) can
 * start if the caller puts other text before it on the line.
 */
export function quoted(text: string, most: number): string {
  const line = shorten(oneLine(cutText(text, most * 8)), most)
  let markdown = ''
  let from = 0
  for (const match of line.matchAll(LINK_LIKE)) {
    markdown += `${escaped(line.slice(from, match.index))}\`${match[0]}\``
    from = match.index + match[0].length
  }
  return markdown + escaped(line.slice(from))
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>~|#]/g, '\\$&').replace(/&(?=#|\w)/g, '\\&')
}

/** `[id]`. Quoted text has no bracket without a backslash before it, so only this function makes citations. */
export const citation = (id: string): string =>
  `[${encodeURIComponent(id).replace(/[!*'()~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)}]`

export const citations = (ids: Iterable<string>): string => [...ids].map(citation).join(' ')

/** Returns the ids that a summary cites, each once, in order. */
export function citedIds(markdown: string): string[] {
  const found = markdown.replace(/`[^`]*`|<[^<>]*>|\\./g, '').matchAll(/\[([^\][]+)\]/g)
  return [...new Set([...found].map(([, id = '']) => decoded(id)))]
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
