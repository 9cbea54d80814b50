import { common, createLowlight } from 'lowlight'

/** A piece of coloured code: text, or what its classes say. */
export type HighlightNode =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'element'; readonly classes: readonly string[]; readonly children: readonly HighlightNode[] }

const lowlight = createLowlight(common)

/** Null for a language that is not known. */
export function highlight(text: string, language: string): readonly HighlightNode[] | null {
  const name = language.trim().split(/\s/)[0] ?? ''
  if (!lowlight.registered(name)) return null
  return lowlight.highlight(name, text).children.flatMap(nodeOf)
}

type Child = ReturnType<typeof lowlight.highlight>['children'][number]

function nodeOf(child: Child): HighlightNode[] {
  if (child.type === 'text') return [{ type: 'text', value: child.value }]
  if (child.type !== 'element') return []
  const { className } = child.properties
  const classes = Array.isArray(className) ? className.map(String) : []
  return [{ type: 'element', classes, children: child.children.flatMap(nodeOf) }]
}
