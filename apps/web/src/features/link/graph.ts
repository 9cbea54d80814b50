import { cutText, endOfText, type Link } from '@collab-spaces/client'

/** A position relative to the center. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A neighbour, with all links to or from it. */
export interface GraphNode extends Point {
  readonly id: string
  /** Shortened to fit below the node. */
  readonly label: string
  readonly isSpace: boolean
  readonly types: readonly string[]
  /** The types shortened to fit on an edge; empty if there is no room. */
  readonly kinds: string
  /** Whether links lead to it, and from it. */
  readonly isTarget: boolean
  readonly isSource: boolean
}

/** The number of nodes that fit. */
const MAX_NODES = 10
/** With more nodes, the types on the edges would overlap. */
const MAX_WITH_KINDS = 6

/** Returns whether a link leads to the space. */
export const leadsTo = (spaceId: string, { target_id }: Link): boolean => target_id === spaceId

/** Places the neighbours of a space on an ellipse around it, the first one at the top, and counts those left out. */
export function graphOf(links: readonly Link[], spaceId: string, radius: Point) {
  const ends = new Map<string, Omit<GraphNode, keyof Point | 'id' | 'kinds'>>()
  for (const link of links) {
    const { target_id, target_uri, link_type } = link
    const isSource = leadsTo(spaceId, link)
    const id = isSource ? link.space_id : (target_id ?? target_uri ?? '')
    const known = ends.get(id)
    ends.set(id, {
      label: labelOf(id),
      isSpace: target_id !== null,
      types: [...new Set([...(known?.types ?? []), link_type])],
      isTarget: !isSource || known?.isTarget === true,
      isSource: isSource || known?.isSource === true,
    })
  }
  const shown = [...ends].slice(0, MAX_NODES)
  const nodes = shown.map(([id, end], at): GraphNode => {
    const angle = (2 * Math.PI * at) / shown.length - Math.PI / 2
    const kinds = shown.length > MAX_WITH_KINDS ? '' : shortened(end.types.join(', '), MAX_KINDS_LENGTH)
    return { id, ...end, kinds, x: radius.x * Math.cos(angle), y: radius.y * Math.sin(angle) }
  })
  return { nodes, more: ends.size - nodes.length }
}

/** In characters. */
const MAX_LABEL_LENGTH = 18
const MAX_KINDS_LENGTH = 14

/** Returns a label for a target: of a page, the last segment of its path, or else its host. */
export function labelOf(target: string): string {
  if (!URL.canParse(target) || !/^https?:/.test(target)) return shortened(target)
  const { host, pathname } = new URL(target)
  return shortened(pathname.split('/').filter(Boolean).at(-1) ?? host)
}

/** Shortens a label in the middle: similar names often differ at the end. */
export function shortened(label: string, maxLength = MAX_LABEL_LENGTH): string {
  if (cutText(label, maxLength) === label) return label
  const half = (maxLength - 1) / 2
  return `${cutText(label, Math.ceil(half)).trimEnd()}…${endOfText(label, Math.floor(half)).trimStart()}`
}
