import { Cell } from './cell'
import { explainShort } from './explain'

interface Note {
  readonly text: string
  readonly tone: 'good' | 'bad'
}

/** The note that `Toast` shows. */
export const shownNote = new Cell<Note | null>(null)
/** The time to read a few words. */
const SHOWN_MS = 4_000
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a confirmation of an action without another visible effect. */
export const say = (text: string): void => show({ text, tone: 'good' })

/** Shows the error of an action that has no room for an `ErrorNote`. */
export const complain = (error: unknown): void => show({ text: explainShort(error), tone: 'bad' })

function show(note: Note): void {
  clearTimeout(timer)
  shownNote.set(note)
  timer = setTimeout(() => shownNote.set(null), SHOWN_MS)
}
