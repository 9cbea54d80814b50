import { Recent } from '../recent'
import { type Colours, Highlighter } from './highlighter'

/** The longest text that is worth the time to highlight it. */
const MAX_LENGTH = 20_000
/** The number of blocks whose colours are kept for when they are scrolled past again. */
const MAX_KNOWN = 200

const known = new Recent<Colours>(MAX_KNOWN)
const highlighter = new Highlighter(
  () => new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module', name: 'highlight' }),
)

const keyOf = (text: string, language: string) => `${language}\n${text}`

/** Returns the colours of a block of code, if they have been found lately. */
export const knownColours = (text: string, language: string): Colours => known.get(keyOf(text, language)) ?? null

/** Finds the colours of a block of code when the page has nothing better to do, and returns how to give that up. */
export function findColours(text: string, language: string, onFound: (colours: Colours) => void): () => void {
  if (language === '' || text.length > MAX_LENGTH || known.get(keyOf(text, language)) !== undefined) return () => {}
  let isOver = false
  let giveUp = () => {}
  const stopWaiting = whenIdle(() => {
    giveUp = highlighter.highlight(text, language, (colours) => {
      known.set(keyOf(text, language), colours)
      if (!isOver) onFound(colours)
    })
  })
  return () => {
    isOver = true
    stopWaiting()
    giveUp()
  }
}

/** Calls a function in an idle moment, and returns how to give that up. Not every browser says when it is idle. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(work)
    return () => cancelIdleCallback(handle)
  }
  const handle = setTimeout(work, 50)
  return () => clearTimeout(handle)
}
