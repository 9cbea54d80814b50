import { Cell } from './cell'
import { explainShort } from './explain'

interface ToastContent {
  readonly text: string
  readonly tone: 'good' | 'bad'
  /** Takes the action back. */
  readonly undo?: () => void
}

/** The note that `Toast` shows. */
export const shownToast = new Cell<ToastContent | null>(null)
/** The time to read a few words. */
const SHOWN_MS = 4_000
/** The time to take an action back. */
const UNDO_MS = 10_000
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a confirmation of an action without another visible effect, or why it had none. */
export const toast = (text: string, tone: ToastContent['tone'] = 'good'): void => show({ text, tone })

/** Shows a confirmation with a button that takes the action back. */
export const toastWithUndo = (text: string, undo: () => void): void =>
  show({
    text,
    tone: 'good',
    undo: () => {
      shownToast.set(null)
      undo()
    },
  })

/** Shows the error of an action that has no room for an `ErrorNote`. */
export const toastError = (error: unknown): void => show({ text: explainShort(error), tone: 'bad' })

function show(note: ToastContent): void {
  clearTimeout(timer)
  shownToast.set(note)
  timer = setTimeout(() => shownToast.set(null), note.undo ? UNDO_MS : SHOWN_MS)
}
