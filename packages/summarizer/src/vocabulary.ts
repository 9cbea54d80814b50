/** No window needs more; words first met after so many are not counted, so that memory stays flat. */
const MOST_WORDS = 200_000

/** Numbers the words of a window, and knows how rare each is. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  /** By word number: how many sentences have it. */
  readonly #sentencesWith: number[] = []
  #sentences = 0

  /** The words of one more sentence as sorted numbers, each once, with how often the sentence has it. */
  learn(words: readonly string[]): Map<number, number> {
    this.#sentences++
    const counts = new Map<number, number>()
    for (const word of words) {
      const number = this.#numberOf(word)
      if (number === null) continue
      const count = counts.get(number) ?? 0
      if (count === 0) this.#sentencesWith[number] = (this.#sentencesWith[number] ?? 0) + 1
      counts.set(number, count + 1)
    }
    return counts
  }

  #numberOf(word: string): number | null {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    if (this.#numbers.size === MOST_WORDS) return null
    const number = this.#numbers.size
    this.#numbers.set(word, number)
    return number
  }

  sentencesWith(word: number): number {
    return this.#sentencesWith[word] ?? 0
  }

  /** Inverse document frequency, a sentence being a document; above zero even for a word that all of them have. */
  idf(word: number): number {
    return Math.log(1 + this.#sentences / (this.sentencesWith(word) + 0.5))
  }
}
