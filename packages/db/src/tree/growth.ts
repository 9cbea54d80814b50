import type { Slices } from '@collab-spaces/fair'
import {
  checkpointText,
  Frontier,
  firstDifference,
  MARK_BYTES,
  markOf,
  openNote,
  originOf,
  parseCheckpoint,
  type Signer,
  TILE,
  TILE_HEIGHT,
} from '@collab-spaces/merkle'
import type { TreeKey } from './key.js'
import { hashesOf } from './leaves.js'

/** A tree at its last sealing. */
export interface SealedTree {
  readonly key: TreeKey
  readonly epoch: number
  readonly size: number
  /** The joined hashes of the complete subtrees over its full tiles. */
  readonly frontier: Buffer
  /** The hashes of the entries outside full tiles. */
  readonly marks: Buffer
  readonly checkpoint: string | null
  readonly signedBy: string | null
}

/** The hash of 256^level leaves, at this index of its level. */
interface Tile {
  readonly level: number
  readonly index: number
  readonly hash: Buffer
  readonly marks: Buffer
}

/** The growth of a tree by new leaves. */
export interface Growth {
  readonly tree: SealedTree
  readonly tiles: readonly Tile[]
  readonly edge: Edge
}

/** The right edge of a tree, up to its last leaf: sufficient to append leaves. */
export interface Edge {
  readonly frontier: Frontier
  /** The joined hashes of the frontier at the end of the full tiles. */
  readonly tiled: Buffer
  /** The hashes of the later leaves. */
  readonly marks: Buffer
}

/** The size of the part of a tree in full tiles. */
export const tiledSize = (size: number): number => size - (size % TILE)

const OTHER_TILES = 'its tiles are not those of its checkpoint'
const NO_MARKS = Buffer.alloc(0)

/**
 * The edge of a stored tree: `joined` has the hashes of its leaves after its full tiles. A string is the reason to append
 * nothing: there is no checkpoint of this key, or the tree does not match it. Data stored beside the checkpoint proves
 * nothing.
 */
export function edgeOf(tree: SealedTree, joined: Buffer, key: string): Edge | string {
  const frontier = Frontier.from(tiledSize(tree.size), tree.frontier)
  const edge = { frontier, tiled: tree.frontier, marks: tree.marks }
  if (tree.size === 0) return edge
  const problem = signatureProblem(tree, key) ?? marksProblem(tree, joined)
  if (problem !== null) return problem
  for (const leaf of hashesOf(joined)) frontier.append(leaf)
  return parseCheckpoint(tree.checkpoint ?? '')?.root.equals(frontier.root) ? edge : OTHER_TILES
}

/** Appends leaves, given by their joined hashes, and signs the tree. This changes the edge. */
export async function grown(
  tree: SealedTree,
  edge: Edge,
  joined: Buffer,
  signer: Signer,
  slices: Slices,
): Promise<Growth> {
  const { frontier } = edge
  const tiles: Tile[] = []
  const marks = Buffer.concat([edge.marks, ...[...hashesOf(joined)].map(markOf)])
  let tiled = edge.tiled
  /** The position of the marks of the current partial tile. */
  let from = 0
  for (const leaf of hashesOf(joined)) {
    frontier.append(leaf, (height, index, hash) => {
      if (height % TILE_HEIGHT !== 0) return
      const own = height === TILE_HEIGHT ? marks.subarray(from, from + TILE * MARK_BYTES) : NO_MARKS
      tiles.push({ level: height / TILE_HEIGHT, index, hash, marks: own })
    })
    if (frontier.size % TILE !== 0) continue
    tiled = Buffer.concat(frontier.hashes)
    from += TILE * MARK_BYTES
    await slices.next()
  }
  const text = checkpointText({ origin: nameOf(tree), size: frontier.size, root: frontier.root })
  const checkpoint = signer.sign(text)
  const left = Buffer.from(marks.subarray(from))
  return {
    tree: { ...tree, size: frontier.size, frontier: tiled, marks: left, checkpoint, signedBy: signer.key },
    tiles,
    edge: { frontier, tiled, marks: left },
  }
}

const nameOf = ({ key: { tenantId, spaceId, tree }, epoch }: Pick<SealedTree, 'key' | 'epoch'>) =>
  originOf({ tenantId, spaceId, tree, epoch })

/** The reason that a checkpoint does not match the tree, or is not by this key. */
export function signatureProblem(
  tree: Pick<SealedTree, 'key' | 'epoch' | 'size' | 'checkpoint' | 'signedBy'>,
  key: string,
): string | null {
  const { checkpoint, signedBy, size } = tree
  if (signedBy !== null && signedBy !== key) {
    const remedy = `after a move, or with a new server key, run: operate log adopt "${signedBy}"`
    return `its checkpoint is signed with another key (${signedBy}); ${remedy}`
  }
  if (checkpoint === null || openNote(checkpoint, key) === null) return 'its checkpoint is not signed'
  const says = parseCheckpoint(checkpoint)
  if (says?.origin === nameOf(tree) && says.size === size) return null
  return `its checkpoint is of another log (${says?.origin}, ${says?.size} entries)`
}

function marksProblem({ size, marks }: SealedTree, joined: Buffer): string | null {
  const tiled = tiledSize(size)
  const sealed = Buffer.concat([...hashesOf(joined)].map(markOf))
  const different = firstDifference(sealed, marks)
  if (different !== -1) return `position ${tiled + different + 1} is not what was sealed`
  return sealed.length === marks.length ? null : `position ${tiled + sealed.length / MARK_BYTES + 1} is missing`
}
