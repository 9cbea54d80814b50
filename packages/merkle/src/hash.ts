import { hash } from 'node:crypto'

/** The length of SHA-256. */
export const HASH_BYTES = 32

export const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/** Room for a leaf with the byte before it: most are short, and to join the two anew each time would cost as much again. */
const LEAF = Buffer.alloc(64 * 1024)
const NODE = Buffer.alloc(1 + 2 * HASH_BYTES)
NODE[0] = 1

/** The hash of a leaf: of a zero byte and its bytes (RFC 6962, section 2.1). */
export function leafHash(bytes: Uint8Array): Buffer {
  if (bytes.length >= LEAF.length) return sha256(Buffer.concat([Buffer.of(0), bytes]))
  LEAF.set(bytes, 1)
  return sha256(LEAF.subarray(0, bytes.length + 1))
}

/** The hash of a node: of a one byte and the hashes of what it joins. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  NODE.set(left, 1)
  NODE.set(right, 1 + HASH_BYTES)
  return sha256(NODE)
}

/** The root of a tree without leaves. */
export const EMPTY_ROOT = sha256(Buffer.alloc(0))
