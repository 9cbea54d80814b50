import { hash } from 'node:crypto'

/** The length of a SHA-256 hash. */
export const HASH_BYTES = 32

export const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/** A reused buffer for a leaf and its prefix byte. Most leaves are short, and concatenating would double the cost. */
const LEAF = Buffer.alloc(64 * 1024)
const NODE = Buffer.alloc(1 + 2 * HASH_BYTES)
NODE[0] = 1

/** Returns the hash of a zero byte and the leaf (RFC 6962, section 2.1). */
export function leafHash(bytes: Uint8Array): Buffer {
  if (bytes.length >= LEAF.length) return sha256(Buffer.concat([Buffer.of(0), bytes]))
  LEAF.set(bytes, 1)
  return sha256(LEAF.subarray(0, bytes.length + 1))
}

/** Returns the hash of a one byte and both child hashes. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  NODE.set(left, 1)
  NODE.set(right, 1 + HASH_BYTES)
  return sha256(NODE)
}

/** The root of a tree without leaves. */
export const EMPTY_ROOT = sha256(Buffer.alloc(0))
