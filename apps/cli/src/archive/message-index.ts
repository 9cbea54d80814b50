import { hash } from 'node:crypto'

/** Four words of a hash and a number in each slot. */
const WORDS = 5
const MIN_SLOTS = 1024

/** A hash as four words, so that no text is kept. */
type Digest = readonly [number, number, number, number]

/** Numbers texts by their hashes, in 40 bytes or less for each: a map of strings would take three times as much. */
export class MessageIndex {
  #slots = new Uint32Array(MIN_SLOTS * WORDS)
  #size = 0

  /** The number of a text; undefined for one that was not added. */
  get(text: string): number | undefined {
    const at = this.#find(this.#slots, digestOf(text))
    const number = this.#slots[at + 4] as number
    return number === 0 ? undefined : number - 1
  }

  /** Adds a text with a number. False, without a change, if it has one. */
  add(text: string, number: number): boolean {
    if (this.#size * 2 * WORDS >= this.#slots.length) this.#grow()
    const digest = digestOf(text)
    const at = this.#find(this.#slots, digest)
    if (this.#slots[at + 4] !== 0) return false
    this.#slots.set([...digest, number + 1], at)
    this.#size += 1
    return true
  }

  #find(slots: Uint32Array, [one, two, three, four]: Digest): number {
    const count = slots.length / WORDS
    let slot = one % count
    for (;;) {
      const at = slot * WORDS
      const isFree = slots[at + 4] === 0
      const isSame = slots[at] === one && slots[at + 1] === two && slots[at + 2] === three && slots[at + 3] === four
      if (isFree || isSame) return at
      slot = (slot + 1) % count
    }
  }

  #grow(): void {
    const larger = new Uint32Array(this.#slots.length * 2)
    for (let at = 0; at < this.#slots.length; at += WORDS) {
      if (this.#slots[at + 4] === 0) continue
      const [one, two, three, four] = this.#slots.subarray(at, at + 4)
      larger.set(this.#slots.subarray(at, at + WORDS), this.#find(larger, [one, two, three, four] as unknown as Digest))
    }
    this.#slots = larger
  }
}

function digestOf(text: string): Digest {
  const digest = hash('sha256', text, 'buffer')
  return [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8), digest.readUInt32LE(12)]
}
