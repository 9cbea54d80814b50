/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2). */
const ROUNDS = Int32Array.from(primes(64), (prime) => fractionOf(Math.cbrt(prime)))
/** The same of the square roots of the first 8. */
const INITIAL = Int32Array.from(primes(8), (prime) => fractionOf(Math.sqrt(prime)))

const BLOCK_BYTES = 64

function primes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}

function fractionOf(root: number): number {
  return ((root % 1) * 2 ** 32) | 0
}

const rotated = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** A SHA-256 of bytes that come in pieces, which browsers cannot compute by themselves. */
export class Sha256 {
  readonly #state = INITIAL.slice()
  readonly #block = new Uint8Array(BLOCK_BYTES)
  readonly #words = new Int32Array(BLOCK_BYTES)
  #length = 0

  update(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) {
      const begin = this.#length % BLOCK_BYTES
      const part = bytes.subarray(at, at + BLOCK_BYTES - begin)
      this.#block.set(part, begin)
      this.#length += part.length
      at += part.length
      if (this.#length % BLOCK_BYTES === 0) this.#mix()
    }
  }

  /** Returns the hash in hexadecimal. Nothing can be added afterwards. */
  digest(): string {
    const length = this.#length
    const padding = new Uint8Array(BLOCK_BYTES + 8 - ((length + 8) % BLOCK_BYTES))
    padding[0] = 0x80
    const view = new DataView(padding.buffer)
    view.setUint32(padding.length - 8, Math.floor(length / 2 ** 29))
    view.setUint32(padding.length - 4, (length << 3) >>> 0)
    this.update(padding)
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }

  /** Mixes a block into the state (FIPS 180-4, section 6.2.2). */
  #mix(): void {
    const words = this.#words
    const view = new DataView(this.#block.buffer)
    for (let t = 0; t < 16; t++) words[t] = view.getInt32(t * 4)
    for (let t = 16; t < 64; t++) {
      const [w15, w2] = [words[t - 15] as number, words[t - 2] as number]
      const s0 = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 >>> 3)
      const s1 = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 >>> 10)
      words[t] = (words[t - 16] as number) + s0 + (words[t - 7] as number) + s1
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = this.#state
    for (let t = 0; t < 64; t++) {
      const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[t] as number) + (words[t] as number)) | 0
      const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries())
      this.#state[index] = (this.#state[index] as number) + word
  }
}
