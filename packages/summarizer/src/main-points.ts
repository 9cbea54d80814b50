import type { Candidate } from './candidates.js'
import type { Voice } from './event.js'
import { lexRank, type Similarities, similarities } from './lexrank.js'

export interface MainPoint {
  readonly voice: Voice
  readonly text: string
  /** Its event, then events with nearly the same content. */
  readonly events: readonly string[]
}

/** The weight of relevance against novelty (maximal marginal relevance; Carbonell and Goldstein, 1998). */
const RELEVANCE = 0.7
/** A sentence below this share of the best score is not a main point. */
const WORTHWHILE = 0.1
/** Events of at least this similarity support a point; this many of them are cited. */
const SUPPORTS = 0.4
const SUPPORTING = 2

/** Returns the most important sentences, one per event, in the order of the log. */
export function mainPoints(candidates: readonly Candidate[], most: number, idf: (word: number) => number): MainPoint[] {
  if (candidates.length === 0) return []
  const similar = similarities(candidates, idf)
  const ranks = lexRank(candidates, similar)
  const scores = candidates.map(({ prior }, i) => (ranks[i] ?? 0) * prior)
  const best = Math.max(...scores)
  const relevance = scores.map((score) => score / best)
  return pick(candidates, relevance, similar, most)
    .sort((a, b) => a - b)
    .flatMap((index) => mainPoint(candidates, index, similar) ?? [])
}

function pick(candidates: readonly Candidate[], relevance: number[], similar: Similarities, most: number): number[] {
  const picked: number[] = []
  const events = new Set<string>()
  /** For each candidate, its highest similarity to a picked one. */
  const repeats = new Float64Array(candidates.length)
  while (picked.length < most) {
    let next = -1
    let nextValue = Number.NEGATIVE_INFINITY
    candidates.forEach(({ event_id }, i) => {
      if (events.has(event_id) || (relevance[i] ?? 0) < WORTHWHILE) return
      const value = RELEVANCE * (relevance[i] ?? 0) - (1 - RELEVANCE) * (repeats[i] ?? 0)
      // Values that differ only by rounding count as equal; then the earlier sentence is picked.
      if (value > nextValue + 1e-9) {
        next = i
        nextValue = value
      }
    })
    const chosen = candidates[next]
    if (!chosen) break
    picked.push(next)
    events.add(chosen.event_id)
    for (let i = 0; i < repeats.length; i++) {
      repeats[i] = Math.max(repeats[i] ?? 0, similar.values[next * similar.size + i] ?? 0)
    }
  }
  return picked
}

function mainPoint(candidates: readonly Candidate[], index: number, similar: Similarities): MainPoint | null {
  const point = candidates[index]
  if (!point) return null
  const { event_id, voice, text, repeatedIn } = point
  const supporting = candidates
    .map((candidate, i) => ({ id: candidate.event_id, similarity: similar.values[index * similar.size + i] ?? 0 }))
    .filter(({ id, similarity }) => id !== event_id && similarity >= SUPPORTS)
    .sort((a, b) => b.similarity - a.similarity)
    .map(({ id }) => id)
  const others = [...new Set([...repeatedIn, ...supporting])].slice(0, SUPPORTING)
  return { voice, text, events: [event_id, ...others] }
}
