/**
 * LexRank: a sentence is important if important sentences are similar to it.
 * G. Erkan, D. R. Radev: "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization",
 * Journal of Artificial Intelligence Research 22 (2004), 457–479. This is the continuous variant (section 3.3).
 */

/** The probability of following a similarity rather than jumping anywhere. The paper's damping factor is 1 − this. */
const FOLLOW = 0.85
const ROUNDS = 100
const SETTLED = 1e-9

export interface RankedSentence {
  readonly event_id: string
  readonly words: ReadonlyMap<number, number>
  readonly prior: number
}

/** The similarities of all pairs of sentences, 0 to 1: row × column. */
export interface Similarities {
  readonly size: number
  readonly values: Float64Array
}

/** Returns the idf-modified cosines of the paper (formula 1). Takes quadratic memory and, at worst, quadratic time. */
export function similarities(sentences: readonly RankedSentence[], idf: (word: number) => number): Similarities {
  const size = sentences.length
  const values = new Float64Array(size * size)
  const having = new Map<number, { sentence: number; weight: number }[]>()
  sentences.forEach(({ words }, sentence) => {
    const weights = [...words].map(([word, count]) => [word, count * idf(word)] as const)
    const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0))
    for (const [word, weight] of weights) {
      const postings = having.get(word) ?? []
      for (const other of postings) {
        const at = sentence * size + other.sentence
        values[at] = (values[at] ?? 0) + (weight / length) * other.weight
      }
      postings.push({ sentence, weight: weight / length })
      having.set(word, postings)
    }
  })
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < row; column++) values[column * size + row] = values[row * size + column] ?? 0
  }
  return { size, values }
}

/** A lower similarity is noise. A higher one is a copy, and copies must not support each other. */
const FAINTEST = 0.05
const COPY = 0.9

/**
 * Returns the rank of each sentence, 1 for the highest. Jumps are weighted by the prior, as in the biased variant
 * (Otterbacher, Erkan, Radev: "Using Random Walks for Question-focused Sentence Retrieval", HLT/EMNLP 2005).
 */
export function lexRank(sentences: readonly RankedSentence[], { size, values }: Similarities): number[] {
  const priors = sentences.reduce((sum, { prior }) => sum + prior, 0)
  const jump = sentences.map(({ prior }) => prior / priors)
  const edges = sentences.map((from, row) => {
    const to: { column: number; weight: number }[] = []
    let sum = 0
    sentences.forEach((sentence, column) => {
      const weight = values[row * size + column] ?? 0
      if (weight < FAINTEST || weight > COPY || sentence.event_id === from.event_id) return
      to.push({ column, weight })
      sum += weight
    })
    return to.map(({ column, weight }) => ({ column, weight: weight / sum }))
  })

  let ranks = jump
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Array<number>(size).fill(0)
    let stranded = 0
    edges.forEach((to, row) => {
      const rank = ranks[row] ?? 0
      if (to.length === 0) stranded += rank
      for (const { column, weight } of to) next[column] = (next[column] ?? 0) + rank * weight
    })
    let change = 0
    for (let i = 0; i < size; i++) {
      const rank = (1 - FOLLOW + FOLLOW * stranded) * (jump[i] ?? 0) + FOLLOW * (next[i] ?? 0)
      change += Math.abs(rank - (ranks[i] ?? 0))
      next[i] = rank
    }
    ranks = next
    if (change < SETTLED) break
  }
  const highest = Math.max(...ranks)
  return ranks.map((rank) => rank / highest)
}
