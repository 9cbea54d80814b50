import type { Voice } from './event.js'
import type { Vocabulary } from './vocabulary.js'

/** A sentence that may become a main point. */
export interface Candidate {
  /** Its position among all sentences of the window. */
  readonly order: number
  readonly event_id: string
  readonly voice: Voice
  readonly text: string
  /** Word number → how often the sentence has the word. */
  readonly words: ReadonlyMap<number, number>
  /** The weight of the sentence before sentences are compared; about 1. */
  readonly prior: number
  /** Other events with exactly the same sentence. */
  readonly repeatedIn: string[]
}

const BLOCKS = 32
const KEPT_PER_BLOCK = 32
const REPEATS_CITED = 2

/**
 * Keeps at most 1,024 of any number of sentences, from all parts of the window, so that all pairs of them can be
 * compared. The window is divided into blocks with the same number of sentences, and each block keeps its best. When
 * there are too many blocks, neighbours are joined.
 */
export class Candidates {
  readonly #byText = new Map<string, Candidate>()
  #blocks: Candidate[][] = [[]]
  #blockLength = KEPT_PER_BLOCK
  #inLastBlock = 0

  constructor(private readonly vocabulary: Vocabulary) {}

  add(candidate: Candidate): void {
    const same = this.#byText.get(candidate.text)
    if (same) {
      if (same.repeatedIn.length < REPEATS_CITED && same.event_id !== candidate.event_id)
        same.repeatedIn.push(candidate.event_id)
      return
    }
    if (this.#inLastBlock === this.#blockLength) this.#nextBlock()
    this.#byText.set(candidate.text, candidate)
    const block = this.#blocks[this.#blocks.length - 1]
    block?.push(candidate)
    this.#inLastBlock++
  }

  #nextBlock(): void {
    const last = this.#blocks.pop() ?? []
    this.#blocks.push(this.#bestOf(last))
    if (this.#blocks.length === BLOCKS) {
      const joined: Candidate[][] = []
      for (let i = 0; i < BLOCKS; i += 2) {
        joined.push(this.#bestOf([...(this.#blocks[i] ?? []), ...(this.#blocks[i + 1] ?? [])]))
      }
      this.#blocks = joined
      this.#blockLength *= 2
    }
    this.#blocks.push([])
    this.#inLastBlock = 0
  }

  #bestOf(block: readonly Candidate[]): Candidate[] {
    if (block.length <= KEPT_PER_BLOCK) return [...block]
    const ranked = block
      .map((candidate) => ({ candidate, score: this.#promise(candidate) }))
      .sort((a, b) => b.score - a.score || a.candidate.order - b.candidate.order)
    for (const { candidate } of ranked.slice(KEPT_PER_BLOCK)) this.#byText.delete(candidate.text)
    return ranked
      .slice(0, KEPT_PER_BLOCK)
      .map(({ candidate }) => candidate)
      .sort((a, b) => a.order - b.order)
  }

  /** Returns the similarity to the window so far: the centroid of Radev et al. (2000), normalized by length. */
  #promise({ words, prior }: Candidate): number {
    let sum = 0
    for (const word of words.keys())
      sum += Math.log(1 + this.vocabulary.sentencesWith(word)) * this.vocabulary.idf(word)
    return (prior * sum) / Math.sqrt(words.size)
  }

  /** Returns the candidates in the order of the log. */
  all(): Candidate[] {
    const last = this.#blocks.pop() ?? []
    this.#blocks.push(this.#bestOf(last))
    return this.#blocks.flat()
  }
}
