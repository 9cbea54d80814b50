import type { Link } from '@collab-spaces/client'

/** Where something stands in the picture, from its middle. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A target, however many links lead to it. */
export interface GraphNode extends Point {
  readonly id: string
  /** Short enough to stand below it. */
  readonly label: string
  readonly isSpace: boolean
  readonly types: readonly string[]
}

/** As many targets as a small picture can show. */
const MAX_NODES = 10

/** The targets of links on an ellipse around the space, the first one at the top. */
export function graphOf(links: readonly Link[], radius: Point): readonly GraphNode[] {
  const targets = new Map<string, { label: string; isSpace: boolean; types: string[] }>()
  for (const { target_id, target_uri, link_type } of links) {
    const id = target_id ?? target_uri ?? ''
    const target = targets.get(id) ?? { label: labelOf(id), isSpace: target_id !== null, types: [] }
    target.types.push(link_type)
    targets.set(id, target)
  }
  const shown = [...targets].slice(0, MAX_NODES)
  return shown.map(([id, target], at) => {
    const angle = (2 * Math.PI * at) / shown.length - Math.PI / 2
    return { id, ...target, x: radius.x * Math.cos(angle), y: radius.y * Math.sin(angle) }
  })
}

/** As many characters as there is room for below a node. */
const LONGEST_LABEL = 18

/** A page is known by the last part of its path, or by its host if it has none. */
export function labelOf(target: string): string {
  if (!URL.canParse(target) || !/^https?:/.test(target)) return shortened(target)
  const { host, pathname } = new URL(target)
  return shortened(pathname.split('/').filter(Boolean).at(-1) ?? host)
}

/** Names that are alike often differ at their ends. */
export function shortened(label: string): string {
  if (label.length <= LONGEST_LABEL) return label
  const half = (LONGEST_LABEL - 1) / 2
  return `${label.slice(0, Math.ceil(half)).trimEnd()}…${label.slice(-Math.floor(half)).trimStart()}`
}
