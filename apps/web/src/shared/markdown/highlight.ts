import { common, createLowlight } from 'lowlight'

/** A node of highlighted code: text, or an element with classes. */
export type HighlightNode =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'element'; readonly classes: readonly string[]; readonly children: readonly HighlightNode[] }

const lowlight = createLowlight(common)

/** The supported languages. */
export const LANGUAGES: readonly string[] = lowlight.listLanguages()

/** The maximum number of nodes of a block. Rendering more would block the page. */
const MAX_PIECES = 5_000

/** Returns null for an unknown language, and for code with too many nodes. */
export function highlight(text: string, language: string): readonly HighlightNode[] | null {
  const name = language.trim().split(/\s/)[0] ?? ''
  if (!lowlight.registered(name)) return null
  const nodes = lowlight.highlight(name, text).children.flatMap(nodeOf)
  return piecesIn(nodes) > MAX_PIECES ? null : nodes
}

const piecesIn = (nodes: readonly HighlightNode[]): number =>
  nodes.reduce((sum, node) => sum + 1 + (node.type === 'element' ? piecesIn(node.children) : 0), 0)

type Child = ReturnType<typeof lowlight.highlight>['children'][number]

function nodeOf(child: Child): HighlightNode[] {
  if (child.type === 'text') return [{ type: 'text', value: child.value }]
  if (child.type !== 'element') return []
  const { className } = child.properties
  const classes = Array.isArray(className) ? className.map(String) : []
  return [{ type: 'element', classes, children: child.children.flatMap(nodeOf) }]
}
