import { Cell } from './cell'
import { explainShort } from './explain'

interface Note {
  readonly text: string
  readonly tone: 'good' | 'bad'
}

/** The note that `Toast` shows. */
export const shownNote = new Cell<Note | null>(null)
/** Long enough to read a few words. */
const SHOWN_MS = 4_000
let timer: ReturnType<typeof setTimeout> | undefined

/** Says for a moment that something was done of which nothing else is to be seen. */
export const say = (text: string): void => show({ text, tone: 'good' })

/** Says for a moment what went wrong, where what was pressed has no room for it. */
export const complain = (error: unknown): void => show({ text: explainShort(error), tone: 'bad' })

function show(note: Note): void {
  clearTimeout(timer)
  shownNote.set(note)
  timer = setTimeout(() => shownNote.set(null), SHOWN_MS)
}
