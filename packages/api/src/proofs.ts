import { createHash } from 'node:crypto'
import { type EntryRecord, pullFrom, pulling, type TreeKey, type TreeRecord } from '@collab-spaces/db'
import { type ByteString, byteStringOf } from '@collab-spaces/db/byte-string'
import { invalid, noServerKey, notSealed, otherLogKey } from '@collab-spaces/domain'
import {
  checkpointText,
  consistencyRanges,
  EMPTY_ROOT,
  endLine,
  headerLine,
  inclusionRanges,
  makeReceipt,
  originOf,
  type ProvenEntry,
  type Receipt,
  type ReceiptSubject,
  type Signer,
  seal,
} from '@collab-spaces/merkle'
import { RenderedOutput } from './procedure/output.js'
import type { Services } from './services.js'

/** A sealed tree, with what its proofs are made and signed with. */
interface OpenTree {
  readonly services: Services
  readonly signer: Signer
  readonly tree: TreeRecord
}

/** Returns the sealed tree of a history. 409 if this server has no key, or has not sealed it yet. */
export async function openTree(services: Services, key: TreeKey): Promise<OpenTree> {
  const { signer, database } = services
  if (!signer) throw noServerKey('Checkpoints')
  const tree = (await database.trees.find(key)) ?? (await emptyTree(services, signer, key))
  if (tree === null) throw notSealed()
  if (tree.signedBy !== signer.key) throw otherLogKey(tree.signedBy)
  return { services, signer, tree }
}

/** Returns the tree of an empty history, which needs no sealing; null for any other. */
async function emptyTree({ database }: Services, signer: Signer, key: TreeKey): Promise<TreeRecord | null> {
  const epoch = await database.trees.emptyEpoch(key)
  if (epoch === null) return null
  const { tenantId, spaceId, tree } = key
  const origin = originOf({ tenantId, spaceId, tree, epoch })
  const checkpoint = signer.sign(checkpointText({ origin, size: 0, root: EMPTY_ROOT }))
  return { key, epoch, size: 0, marks: Buffer.alloc(0), checkpoint, signedBy: signer.key, sealedAt: null }
}

/** Returns a receipt: a self-contained proof of these entries. 409 if one of them is not sealed yet. */
export async function receiptOf(
  { services, signer, tree }: OpenTree,
  subject: ReceiptSubject,
  subject_id: string,
  positions: readonly number[],
): Promise<Receipt> {
  const { key, size, checkpoint } = tree
  if (positions.some((position) => position > size)) throw notSealed()
  const { trees } = services.database
  const ranges = positions.map((position) => inclusionRanges(position - 1, size))
  const [found, hashes] = await Promise.all([trees.entries(key, positions), trees.hashes(key, ranges.flat())])
  const entries = new Map(found.map((entry) => [entry.position, entry]))
  let at = 0
  const proven = positions.map((position, index): ProvenEntry => {
    at += ranges[index]?.length ?? 0
    const proof = hashes.slice(at - (ranges[index]?.length ?? 0), at).map((hash) => hash.toString('base64'))
    const { line = '', redacted = null } = entries.get(position) ?? {}
    return { position, line, redacted: redacted && shownRedaction(redacted), proof }
  })
  return makeReceipt(signer, { subject, subject_id, entries: proven, checkpoint })
}

const shownRedaction = ({ leafHash, erasureId, erasedAt }: NonNullable<EntryRecord['redacted']>) => ({
  leaf_hash: leafHash.toString('base64'),
  erasure_id: erasureId,
  erased_at: erasedAt,
})

/** Returns the consistency proof of a log between two sizes. */
export async function consistencyOf({ services, tree }: OpenTree, from: number, to = tree.size) {
  if (to > tree.size) throw notSealed()
  if (from > to) throw invalid('from', 'must not be larger than `to`')
  const hashes = await services.database.trees.hashes(tree.key, consistencyRanges(from, to))
  return { from, to, proof: hashes.map((hash) => hash.toString('base64')) }
}

/** Streams the log from a position on, as a file with its own proof. */
export async function exportOf({ services, signer, tree }: OpenTree, after: number): Promise<RenderedOutput<string>> {
  if (after > tree.size) throw notSealed()
  const { trees } = services.database
  const frontier = await trees.frontierAt(tree.key, after)
  const header = headerLine({
    after,
    frontier: frontier.map((hash) => hash.toString('base64')),
    checkpoint: tree.checkpoint,
    key: signer.key,
  })
  return RenderedOutput.lines(sealedPieces(signer, byteStringOf(header), trees.pieces(tree, after)))
}

/** Streams the pieces of a file, and the signature over all of them at its end. */
function sealedPieces(
  signer: Signer,
  header: ByteString,
  pieces: AsyncIterable<ByteString>,
): AsyncIterable<ByteString> {
  const digest = createHash('sha256')
  const pull = pullFrom(pieces)
  let next: ByteString | null = header
  let isOver = false
  return pulling(async () => {
    if (isOver) return null
    const piece = next ?? (await pull())
    next = null
    isOver = piece === null
    if (piece === null) return byteStringOf(endLine(seal(signer, digest.digest())))
    digest.update(piece, 'latin1')
    return piece
  })
}
