import { type Inline, parseInline } from '@collab-spaces/client'
import Turndown from 'turndown'
import { inDestination, isAddress, ticksAround } from './format'
import { isDataTable, normalizeRichText, withoutPoliced } from './rich-text'

/** Longer HTML is pasted as plain text. */
const MAX_HTML = 1_000_000
/** Markup in a longer piece of text stays what it is, as the cost to find it may grow with its square. */
const MAX_ESCAPED = 2_000

/**
 * Returns a rich text as Markdown; null if its plain text says as much, or it is too long or too deep. It is parsed into
 * a document that runs no script and loads nothing.
 */
export function toMarkdown(html: string): string | null {
  if (html.length > MAX_HTML) return null
  const { body } = new DOMParser().parseFromString(withoutPoliced(html), 'text/html')
  try {
    return normalizeRichText(body) ? service.turndown(body) : null
  } catch (error) {
    // Too deep for the recursion of the converter.
    if (error instanceof RangeError) return null
    throw error
  }
}

const service = new Turndown({ headingStyle: 'atx', hr: '---', bulletListMarker: '-', emDelimiter: '*', br: '' })
service.escape = escaped

const onOneLine = (content: string) =>
  content
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')
const asBlock = (content: string) => `\n\n${content.trim()}\n\n`
const isIn = (node: Node, name: string) => node.parentNode?.nodeName === name

service
  .addRule('heading', {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (content, node) => asBlock(`${'#'.repeat(Number(node.nodeName.charAt(1)))} ${onOneLine(content)}`),
  })
  .addRule('paragraphBreak', {
    filter: (node) => node.getAttribute('data-stringify-type') === 'paragraph-break',
    replacement: () => '\n\n',
  })
  .addRule('del', {
    filter: (node) => ['DEL', 'S', 'STRIKE'].includes(node.nodeName),
    replacement: (content) => (content.trim() === '' ? '' : `~~${content}~~`),
  })
  .addRule('code', {
    filter: (node) => ['CODE', 'TT', 'KBD', 'SAMP'].includes(node.nodeName) && !isIn(node, 'PRE'),
    replacement: (_, { textContent }) => inlineCode(textContent ?? ''),
  })
  .addRule('codeBlock', {
    filter: 'pre',
    replacement: (_, node) => {
      const code = (node.textContent ?? '').trimEnd()
      const fence = ticksAround(code, 3)
      return code.trim() === '' ? '' : `\n\n${fence}${languageOf(node as Element)}\n${code}\n${fence}\n\n`
    },
  })
  .addRule('link', {
    filter: (node) => node.nodeName === 'A' && node.hasAttribute('href'),
    replacement: (content, node) => {
      const words = onOneLine(content)
      const address = (node as Element).getAttribute('href')?.trim() ?? ''
      if (words === '' || !isAddress(address)) return words
      return node.textContent?.trim() === address ? address : `[${words}](${inDestination(address)})`
    },
  })
  .addRule('task', {
    filter: (node) => node.nodeName === 'INPUT' && node.closest('li') !== null,
    replacement: (_, node) => ((node as Element).hasAttribute('checked') ? '[x]' : '[ ]'),
  })
  .addRule('item', {
    filter: 'li',
    replacement: (content, node) => {
      const marker = isIn(node, 'OL') ? `${(node as Element).getAttribute('value') ?? 1}. ` : '- '
      // A blank line before an inner list would stand out.
      const words = content
        .trim()
        .replace(/^(\[[ x]\])\s*/, '$1 ')
        .replace(/\n{2,}(?=(?:-|\d+\.) )/g, '\n')
      const indentation = ' '.repeat(marker.length)
      const lines = words.split('\n').map((line, at) => (at === 0 || line === '' ? line : indentation + line))
      return `${marker}${lines.join('\n')}\n`
    },
  })
  .addRule('list', {
    filter: ['ul', 'ol'],
    replacement: (content, node) => (isIn(node, 'LI') ? `\n${content.trimEnd()}\n` : asBlock(content)),
  })
  .addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content, node) => {
      if (!isInData(node)) return asBlock(content)
      const span = Math.min(Number((node as Element).getAttribute('colspan')) || 1, MAX_COLUMNS)
      return `| ${onOneLine(content).replaceAll('|', '\\|')} ${'|  '.repeat(span - 1)}`
    },
  })
  .addRule('row', {
    filter: 'tr',
    replacement: (content, node) => {
      if (!isInData(node)) return content
      const isFirst = (node as Element).closest('table')?.querySelector('tr') === node
      const columns = content.replaceAll('\\|', '').split('|').length - 1
      return `${content}|\n${isFirst ? `${'| --- '.repeat(columns)}|\n` : ''}`
    },
  })
  .addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
  .addRule('table', { filter: 'table', replacement: asBlock })

const MAX_COLUMNS = 50

/** By table, as each of its cells asks. */
const known = new WeakMap<Element, boolean>()

function isInData(node: Node): boolean {
  const table = (node as Element).closest('table')
  if (table === null) return false
  const isData = known.get(table) ?? isDataTable(table)
  known.set(table, isData)
  return isData
}

function inlineCode(text: string): string {
  const words = onOneLine(text)
  if (words === '') return ''
  const ticks = ticksAround(words, 1)
  return ticks.length > 1 ? `${ticks} ${words} ${ticks}` : `\`${words}\``
}

/** Returns the language that the classes of a block name: `language-ts`, or GitHub's `highlight-source-ts`. */
function languageOf(block: Element): string {
  const classes = [block, block.firstElementChild, block.parentElement].map((one) => one?.className ?? '').join(' ')
  return /(?:language|lang|highlight-source)-([\w+#-]+)/.exec(classes)?.[1] ?? ''
}

/**
 * Returns a text that reads as it does in the page's Markdown: backslashes escape only where there would be markup, and
 * would be seen elsewhere.
 */
export function escaped(text: string): string {
  if (text.length > MAX_ESCAPED) return text
  const positions = new Set(/^#{1,6}(?=\s)/.test(text) ? [0] : [])
  for (;;) {
    // Each place in the escaped text; a backslash has that of its character.
    const places = Array.from({ length: text.length }, (_, at) => (positions.has(at) ? [at, at] : [at])).flat()
    const result = places.map((at, index) => (places[index + 1] === at ? '\\' : text.charAt(at))).join('')
    const markup = parseInline(result)
      .flatMap(delimitersIn)
      .map((at) => places[at] as number)
      .filter((at) => /[`*_~[\]<]/.test(text.charAt(at)) && !positions.has(at))
    if (markup.length === 0) return result
    // Delimiters that are escaped may leave others to be markup.
    for (const at of markup) positions.add(at)
  }
}

/** Returns the indices of the characters that make a token what it is: without them, its text would be seen as it is. */
function delimitersIn(token: Inline): number[] {
  const { type, from, to } = token
  if (type === 'text' || type === 'br' || (type === 'link' && token.isBare)) return []
  if (type === 'image') return [from + 1]
  if (type === 'codespan') return [from, to - 1]
  const first = token.tokens[0]?.from ?? from + 1
  const last = token.tokens.at(-1)?.to ?? first
  return [
    ...indices(from, first),
    ...token.tokens.flatMap(delimitersIn),
    ...(type === 'link' ? [last] : indices(last, to)),
  ]
}

const indices = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at)
