/** No window needs more. Further words are not counted, so that memory is limited. */
const MAX_WORDS = 200_000

/** Numbers the words of a window and counts how rare each is. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  /** For each word number, the number of sentences with the word. */
  readonly #sentencesWith: number[] = []
  #sentences = 0

  /** Adds a sentence. Returns its words as sorted numbers, each once, with how often it occurs. */
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
    if (this.#numbers.size === MAX_WORDS) return null
    const number = this.#numbers.size
    this.#numbers.set(word, number)
    return number
  }

  sentencesWith(word: number): number {
    return this.#sentencesWith[word] ?? 0
  }

  /** Inverse document frequency, with sentences as documents; above zero even for a word that is in all of them. */
  idf(word: number): number {
    return Math.log(1 + this.#sentences / (this.sentencesWith(word) + 0.5))
  }
}
