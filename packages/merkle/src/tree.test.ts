import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Frontier } from './frontier.js'
import { EMPTY_ROOT, leafHash, nodeHash } from './hash.js'
import {
  consistencyRanges,
  inclusionRanges,
  isConsistent,
  type Range,
  rangeHash,
  rootByInclusion,
  subtreesOf,
} from './proof.js'

/** The leaves of the test vectors of certificate-transparency, and the roots of the trees of their first 0 to 8. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const INCLUSION: [index: number, size: number, proof: string[]][] = [
  [0, 1, []],
  [
    0,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
]
const CONSISTENCY: [from: number, size: number, proof: string[]][] = [
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
]

const hashesOf = (leaves: readonly string[]) => leaves.map((leaf) => leafHash(Buffer.from(leaf, 'hex')))

/** Computes the root as RFC 6962 defines it. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length <= 1) return leaves[0] ?? EMPTY_ROOT
  let half = 1
  while (half * 2 < leaves.length) half *= 2
  return nodeHash(rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)))
}

/** Builds a proof from complete subtrees, as a server does. */
const proofFrom = (ranges: readonly Range[], leaves: readonly Buffer[]) =>
  ranges.map((range) =>
    rangeHash(
      subtreesOf(range).map(({ height, index }) =>
        rootOf(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height)),
      ),
    ),
  )

const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'))

describe('the test vectors of certificate-transparency', () => {
  const leaves = hashesOf(LEAVES)

  it.each(ROOTS.map((root, size) => [size, root] as const))('contain the root of a tree of %s leaves', (size, root) => {
    const frontier = new Frontier()
    for (const leaf of leaves.slice(0, size)) frontier.append(leaf)
    expect(frontier.root.toString('hex')).toBe(root)
  })

  it.each(INCLUSION)('prove leaf %s of %s', (index, size, proof) => {
    expect(hex(proofFrom(inclusionRanges(index, size), leaves))).toEqual(proof)
    const root = rootByInclusion(
      leaves[index] as Buffer,
      index,
      size,
      proof.map((hash) => Buffer.from(hash, 'hex')),
    )
    expect(root?.toString('hex')).toBe(ROOTS[size])
  })

  it.each(CONSISTENCY)('prove that %s leaves are the first of %s', (from, size, proof) => {
    expect(hex(proofFrom(consistencyRanges(from, size), leaves))).toEqual(proof)
  })
})

const treeOf = (leaves: readonly Buffer[]) => ({ size: leaves.length, root: rootOf(leaves) })
const someLeaves = fc
  .array(fc.uint8Array({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 70 })
  .map((leaves) => leaves.map((leaf) => leafHash(leaf)))

const flipped = (hash: Buffer, bit: number) => {
  const other = Buffer.from(hash)
  other[bit >> 3] = (other[bit >> 3] as number) ^ (1 << (bit & 7))
  return other
}

describe('any tree', () => {
  it('has the root of its leaves, resumed from any frontier', () => {
    fc.assert(
      fc.property(someLeaves, fc.nat(), (leaves, at) => {
        const frontier = new Frontier()
        for (const leaf of leaves.slice(0, at % leaves.length)) frontier.append(leaf)
        const resumed = Frontier.from(frontier.size, Buffer.concat(frontier.hashes))
        for (const leaf of leaves.slice(frontier.size)) resumed.append(leaf)
        expect(resumed.root).toEqual(rootOf(leaves))
      }),
    )
  })

  it('reports each complete subtree', () => {
    fc.assert(
      fc.property(someLeaves, (leaves) => {
        const frontier = new Frontier()
        for (const leaf of leaves)
          frontier.append(leaf, (height, index, hash) => {
            expect(hash).toEqual(rootOf(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height)))
          })
      }),
    )
  })

  it('proves each leaf, and no other in its place', () => {
    fc.assert(
      fc.property(someLeaves, fc.nat(), fc.nat(255), (leaves, at, bit) => {
        const index = at % leaves.length
        const { size, root } = treeOf(leaves)
        const proof = proofFrom(inclusionRanges(index, size), leaves)
        const leaf = leaves[index] as Buffer
        expect(rootByInclusion(leaf, index, size, proof)).toEqual(root)
        expect(rootByInclusion(flipped(leaf, bit), index, size, proof)).not.toEqual(root)
        for (const changed of proof.keys()) {
          const other = proof.map((hash, place) => (place === changed ? flipped(hash, bit) : hash))
          expect(rootByInclusion(leaf, index, size, other)).not.toEqual(root)
        }
        expect(rootByInclusion(leaf, index, size, [...proof, leaf])).toBeNull()
        expect(rootByInclusion(leaf, size, size, proof)).toBeNull()
      }),
    )
  })

  it('is consistent with each of its beginnings, and with no other tree', () => {
    fc.assert(
      fc.property(someLeaves, fc.nat(), fc.nat(255), (leaves, at, bit) => {
        const from = treeOf(leaves.slice(0, at % (leaves.length + 1)))
        const to = treeOf(leaves)
        const proof = proofFrom(consistencyRanges(from.size, to.size), leaves)
        expect(isConsistent(from, to, proof)).toBe(true)
        if (from.size === 0) return
        expect(isConsistent({ ...from, root: flipped(from.root, bit) }, to, proof)).toBe(false)
        expect(isConsistent(from, { ...to, root: flipped(to.root, bit) }, proof)).toBe(false)
        for (const changed of proof.keys()) {
          const other = proof.map((hash, place) => (place === changed ? flipped(hash, bit) : hash))
          expect(isConsistent(from, to, other)).toBe(false)
        }
        expect(isConsistent(from, to, [...proof, to.root])).toBe(false)
      }),
    )
  })
})
