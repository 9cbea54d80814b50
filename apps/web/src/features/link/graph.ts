import { cutText, endOfText, type Link } from '@collab-spaces/client'

/** Where something stands in the picture, from its middle. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The other end of links, however many there are. */
export interface GraphNode extends Point {
  readonly id: string
  /** Short enough to stand below it. */
  readonly label: string
  readonly isSpace: boolean
  readonly types: readonly string[]
  /** The same, short enough to stand on an edge; empty where there is no room. */
  readonly kinds: string
  /** Whether links lead there, and whether links lead from there. */
  readonly isTarget: boolean
  readonly isSource: boolean
}

/** As many targets as a small picture can show. */
const MAX_NODES = 10
/** Of more, the kinds would lie over each other: then they stand in the list alone. */
const MAX_WITH_KINDS = 6

/** Whether a link leads to a space, from another one. */
export const leadsTo = (spaceId: string, { target_id }: Link): boolean => target_id === spaceId

/** The neighbours of a space, on an ellipse around it, the first one at the top; and how many there is no room for. */
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
    const kinds = shown.length > MAX_WITH_KINDS ? '' : shortened(end.types.join(', '), LONGEST_KINDS)
    return { id, ...end, kinds, x: radius.x * Math.cos(angle), y: radius.y * Math.sin(angle) }
  })
  return { nodes, more: ends.size - nodes.length }
}

/** As many characters as there is room for below a node. */
const LONGEST_LABEL = 18
const LONGEST_KINDS = 14

/** A page is known by the last part of its path, or by its host if it has none. */
export function labelOf(target: string): string {
  if (!URL.canParse(target) || !/^https?:/.test(target)) return shortened(target)
  const { host, pathname } = new URL(target)
  return shortened(pathname.split('/').filter(Boolean).at(-1) ?? host)
}

/** Names that are alike often differ at their ends. */
export function shortened(label: string, longest = LONGEST_LABEL): string {
  if (cutText(label, longest) === label) return label
  const half = (longest - 1) / 2
  return `${cutText(label, Math.ceil(half)).trimEnd()}…${endOfText(label, Math.floor(half)).trimStart()}`
}
