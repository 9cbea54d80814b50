import {
  checkpointText,
  Frontier,
  firstDifference,
  HASH_BYTES,
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

/** A tree as it was sealed last. */
export interface SealedTree {
  readonly key: TreeKey
  readonly epoch: number
  readonly size: number
  /** The hashes of the complete subtrees that its full tiles make, joined. */
  readonly frontier: Buffer
  /** Of the entries that are in no full tile. */
  readonly marks: Buffer
  readonly checkpoint: string | null
  readonly signedBy: string | null
}

/** The hash of 256^level leaves, the index-th of its level. */
export interface Tile {
  readonly level: number
  readonly index: number
  readonly hash: Buffer
  readonly marks: Buffer
}

/** What becomes of a tree with more leaves. */
export interface Growth {
  readonly tree: SealedTree
  readonly tiles: readonly Tile[]
}

/** The size of the part of a tree that full tiles make. */
export const tiledSize = (size: number): number => size - (size % TILE)

const OTHER_TILES = 'its tiles are not those of its checkpoint'
const NO_MARKS = Buffer.alloc(0)

/**
 * The tree with more leaves, signed: `joined` are the hashes of all leaves after its full tiles, up to the new size. A
 * text says why it is not signed: what is stored is not what the last checkpoint says. So whoever changes the database and
 * has not the key gets no signature on it.
 */
export function grown(tree: SealedTree, joined: Buffer, signer: Signer): Growth | string {
  const problem = problemOf(tree, joined)
  if (problem !== null) return problem
  const tiled = tiledSize(tree.size)
  const frontier = Frontier.from(tiled, tree.frontier)
  const tiles: Tile[] = []
  let stored: { readonly frontier: Buffer; readonly from: number } = { frontier: tree.frontier, from: 0 }
  let read = 0
  const marks = Buffer.concat([...hashesOf(joined)].map(markOf))
  for (const leaf of hashesOf(joined)) {
    read++
    frontier.append(leaf, (height, index, hash) => {
      if (height % TILE_HEIGHT !== 0) return
      const isFirstLevel = height === TILE_HEIGHT
      const own = isFirstLevel ? marks.subarray((read - TILE) * MARK_BYTES, read * MARK_BYTES) : NO_MARKS
      tiles.push({ level: height / TILE_HEIGHT, index, hash, marks: own })
    })
    if (frontier.size % TILE === 0) stored = { frontier: Buffer.concat(frontier.hashes), from: read }
    if (frontier.size === tree.size && !isAsSealed(tree, frontier)) return OTHER_TILES
  }
  const { scope: tenantId, spaceId, tree: name } = tree.key
  const origin = originOf({ tenantId, spaceId, tree: name, epoch: tree.epoch })
  const checkpoint = signer.sign(checkpointText({ origin, size: frontier.size, root: frontier.root }))
  return {
    tree: {
      ...tree,
      size: frontier.size,
      frontier: stored.frontier,
      marks: marks.subarray(stored.from * MARK_BYTES),
      checkpoint,
      signedBy: signer.key,
    },
    tiles,
  }
}

function problemOf({ size, marks, checkpoint, signedBy, frontier }: SealedTree, joined: Buffer) {
  if (size === 0) return null
  if (checkpoint === null || signedBy === null || openNote(checkpoint, signedBy) === null) {
    return 'its checkpoint is not signed'
  }
  const tiled = tiledSize(size)
  const sealed = Buffer.concat([...hashesOf(joined.subarray(0, (size - tiled) * HASH_BYTES))].map(markOf))
  const different = firstDifference(sealed, marks)
  if (different !== -1) return `position ${tiled + different + 1} is not what was sealed`
  if (sealed.length !== marks.length) return `position ${tiled + sealed.length / MARK_BYTES + 1} is missing`
  // Nothing follows the tiles that would bring the comparison about.
  if (tiled !== size) return null
  return isAsSealed({ size, checkpoint }, Frontier.from(tiled, frontier)) ? null : OTHER_TILES
}

function isAsSealed({ size, checkpoint }: Pick<SealedTree, 'size' | 'checkpoint'>, frontier: Frontier): boolean {
  const says = parseCheckpoint(checkpoint ?? '')
  return says?.size === size && says.root.equals(frontier.root)
}
