/** Elements that show nothing, or could do something. */
const REMOVED =
  'head, title, meta, link, style, script, noscript, template, iframe, object, embed, svg, math, audio, video, ' +
  'button, select, textarea, input:not([type=checkbox])'

const FORMATTED =
  'strong, b, em, i, del, s, strike, code, tt, kbd, samp, pre, a[href], ul, ol, blockquote, hr, ' +
  'h1, h2, h3, h4, h5, h6, input[type=checkbox]'

const STYLES = [
  ['strong', /(?:^|;)\s*font-weight:\s*(?:bold|[6-9]00)/i],
  ['em', /(?:^|;)\s*font-style:\s*italic/i],
  ['del', /(?:^|;)\s*text-decoration(?:-line)?:[^;]*line-through/i],
  ['code', /(?:^|;)\s*font-family:[^;]*(?:mono|consolas|courier|menlo)/i],
] as const

const TAG = /<\/?[a-z][^<>]*>/gi
const STYLE_TAG = /^<(\/?)style\b/i
const POLICED = /\s(?=(?:style|on\w+)\s*=)/gi

/**
 * Returns HTML whose styles are `data-style`, and which has no style sheets and handlers. A browser applies the content
 * security policy even to a document that is never shown, and reports them.
 */
export const withoutPoliced = (html: string): string =>
  html.replace(TAG, (tag) => tag.replace(STYLE_TAG, '<$1template').replace(POLICED, ' data-'))

/** What editors of code copy: all of it is plain text, whatever its colours. */
const SOURCE_CODE = /^(?=.*font-family:.*mono)(?=.*white-space:\s*pre)/is

/**
 * Brings the HTML of other programs into the form of a web page, as they express bold by styles, and lists by paragraphs.
 * Returns whether it has any formatting, without which its plain text says as much.
 */
export function normalizeRichText(body: HTMLElement): boolean {
  for (const element of all(body, REMOVED)) element.remove()
  shortenBlanks(body)
  for (const image of all(body, 'img')) image.replaceWith(image.getAttribute('alt') ?? '')
  if (all(body, 'div[data-style]').some((element) => SOURCE_CODE.test(styleOf(element)))) return false
  for (const element of all(body, 'b, strong')) {
    // Google Docs wraps all in one.
    if (/font-weight:\s*(?:normal|400)/i.test(styleOf(element))) unwrap(element)
  }
  for (const element of all(body, 'span[data-style]')) applyStyle(element)
  for (const element of all(body, '.ListContainerWrapper')) unwrap(element)
  for (const list of all(body, 'ul > ul, ul > ol, ol > ul, ol > ol')) moveIntoItem(list)
  for (const parent of [body, ...all(body, 'div, td, th, blockquote')]) nestFlatLists(parent)
  for (const list of all(body, 'ol')) numberItems(list)
  // An empty line would end the table.
  for (const rows of [...all(body, 'tr'), ...all(body, 'thead, tbody')]) {
    if (rows.textContent?.trim() === '') rows.remove()
  }
  return body.querySelector(FORMATTED) !== null || all(body, 'table').some(isDataTable)
}

/** Blanks other than those that HTML collapses, and runs of blanks whose cost for the converter grows with their square. */
const BLANKS = /\s{200,}|[^\S\n\r\t ]/g

function shortenBlanks(body: HTMLElement): void {
  const nodes = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) {
    const { currentNode } = nodes
    currentNode.nodeValue = (currentNode.nodeValue ?? '').replace(BLANKS, ' ')
  }
}

/** Returns whether a table has rows and columns, and not only the layout of a page or e-mail. */
export function isDataTable(table: Element): boolean {
  if (table.getAttribute('role') === 'presentation' || table.querySelector('table, ul, ol, pre')) return false
  const rows = all(table, 'tr')
  return rows.length > 1 && rows.some((row) => row.children.length > 1)
}

const all = (parent: Element, selector: string): Element[] => Array.from(parent.querySelectorAll(selector))

const styleOf = (element: Element): string => element.getAttribute('data-style') ?? ''

const unwrap = (element: Element) => element.replaceWith(...element.childNodes)

function applyStyle(span: Element): void {
  if (/mso-list:\s*ignore/i.test(styleOf(span)) || span.textContent?.trim() === '') return
  for (const [name, style] of STYLES) {
    const isKnown = span.closest(name === 'strong' ? 'strong, b, th, h1, h2, h3, h4, h5, h6' : `${name}, pre`) !== null
    if (!style.test(styleOf(span)) || isKnown) continue
    const element = span.ownerDocument.createElement(name)
    element.append(...span.childNodes)
    span.append(element)
  }
}

function numberItems(list: Element): void {
  let number = Math.max(0, Number.parseInt(list.getAttribute('start') ?? '1', 10) || 0)
  for (const item of Array.from(list.children)) item.setAttribute('value', String(number++))
}

/** A list within a list belongs to the item before it. */
function moveIntoItem(list: Element): void {
  const before = list.previousElementSibling
  if (before?.nodeName === 'LI') before.append(list)
}

/** An item or several of a list, whose level is an attribute. */
interface FlatItems {
  readonly level: number
  readonly isOrdered: boolean
  readonly items: readonly Element[]
}

interface OpenList {
  readonly level: number
  readonly list: Element
}

/** Nests the lists that follow each other below an element by their levels. */
function nestFlatLists(parent: Element): void {
  let open: OpenList[] = []
  for (const child of Array.from(parent.children)) {
    const flat = flatItemsOf(child)
    if (!flat) {
      open = []
      continue
    }
    open = open.filter(({ level }) => level <= flat.level)
    const name = flat.isOrdered ? 'OL' : 'UL'
    let last = open.at(-1)
    if (last?.level === flat.level && last.list.nodeName !== name) {
      open.pop()
      last = open.at(-1)
    }
    if (last?.level !== flat.level) {
      const list = child.ownerDocument.createElement(name)
      if (last) last.list.lastElementChild?.append(list)
      else child.before(list)
      open.push({ level: flat.level, list })
    }
    open.at(-1)?.list.append(...flat.items)
    child.remove()
  }
}

/** Returns the items of a list of Slack or Word for the web, or of a paragraph that Word shows as one. */
function flatItemsOf(element: Element): FlatItems | null {
  const [, level] = /mso-list:[^;]*level(\d+)/i.exec(styleOf(element)) ?? []
  if (level && element.nodeName === 'P') return { level: Number(level), ...itemOfWord(element) }
  const isOrdered = element.nodeName === 'OL'
  if (!isOrdered && element.nodeName !== 'UL') return null
  const indent = element.getAttribute('data-indent')
  const aria = element.firstElementChild?.getAttribute('data-aria-level')
  if (!indent && !aria) return null
  return { level: indent ? Number(indent) : Number(aria) - 1, isOrdered, items: Array.from(element.children) }
}

function itemOfWord(paragraph: Element): Pick<FlatItems, 'isOrdered' | 'items'> {
  const markers = all(paragraph, 'span').filter((span) => /mso-list:\s*ignore/i.test(styleOf(span)))
  const isOrdered = /^\W?\w{1,4}[.)]/.test(markers[0]?.textContent?.trim() ?? '')
  for (const marker of markers) marker.remove()
  const item = paragraph.ownerDocument.createElement('li')
  item.append(...paragraph.childNodes)
  return { isOrdered, items: [item] }
}
