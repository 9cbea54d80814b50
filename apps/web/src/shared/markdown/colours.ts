import { Recent } from '../recent'
import { type Colours, Highlighter } from './highlighter'

/** Longer texts are not highlighted. */
const MAX_LENGTH = 20_000
/** The number of cached blocks. */
const MAX_KNOWN = 200

const known = new Recent<Colours>(MAX_KNOWN)
const highlighter = new Highlighter(
  () => new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module', name: 'highlight' }),
)

const keyOf = (text: string, language: string) => `${language}\n${text}`

/** Returns the cached highlighting of a code block. */
export const knownColours = (text: string, language: string): Colours => known.get(keyOf(text, language)) ?? null

/** Highlights a code block when the browser is idle. Returns a cancel function. */
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

/** Calls a function when the browser is idle. Returns a cancel function. Safari has no `requestIdleCallback`. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(work)
    return () => cancelIdleCallback(handle)
  }
  const handle = setTimeout(work, 50)
  return () => clearTimeout(handle)
}
