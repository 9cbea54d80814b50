import { Recent } from '../recent'
import type { HighlightNode } from './highlight'

export type Colours = readonly HighlightNode[] | null

/** As long a text as is worth the time to colour it. */
const LONGEST = 20_000
/** Blocks whose colours are kept for when they are scrolled past again. */
const MOST = 200
/** The rest of an idle moment in which no other block is begun. */
const LEAST_MS = 4

const known = new Recent<Colours>(MOST)
const waiting = new Set<() => void>()
let isScheduled = false

const keyOf = (text: string, language: string) => `${language}\n${text}`

/** The colours of a block of code, if they have been found lately. */
export const knownColours = (text: string, language: string): Colours => known.get(keyOf(text, language)) ?? null

/**
 * Finds the colours of a block of code when the page has nothing better to do, and returns how to give that up: a
 * reader who scrolls past a thousand blocks waits for none of them. The code that finds them is loaded with the first
 * block.
 */
export function findColours(text: string, language: string, onFound: (colours: Colours) => void): () => void {
  if (language === '' || text.length > LONGEST || known.get(keyOf(text, language)) !== undefined) return () => {}
  let isOver = false
  const find = () => {
    void import('./highlight').then(({ highlight }) => {
      if (!isOver) onFound(known.set(keyOf(text, language), highlight(text, language)))
    })
  }
  waiting.add(find)
  schedule()
  return () => {
    isOver = true
    waiting.delete(find)
  }
}

function schedule(): void {
  if (isScheduled || waiting.size === 0) return
  isScheduled = true
  whenIdle(work)
}

function work(timeLeft: () => number): void {
  isScheduled = false
  for (const find of waiting) {
    waiting.delete(find)
    find()
    if (timeLeft() < LEAST_MS) break
  }
  schedule()
}

/** Not every browser says when it is idle. */
function whenIdle(work: (timeLeft: () => number) => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback((idle) => work(() => idle.timeRemaining()))
  else setTimeout(() => work(() => 0), 50)
}
