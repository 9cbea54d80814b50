import { Cell, useCell } from '../cell'
import { Icon } from '../components/Icon'
import { explainShort } from '../query/explain'
import styles from './Toast.module.css'

interface Note {
  readonly text: string
  readonly tone: 'good' | 'bad'
}

const shown = new Cell<Note | null>(null)
/** Long enough to read a few words. */
const SHOWN_MS = 4_000
let timer: ReturnType<typeof setTimeout> | undefined

/** Says for a moment that something was done of which nothing else is to be seen. */
export const say = (text: string): void => show({ text, tone: 'good' })

/** Says for a moment what went wrong, where what was pressed has no room for it. */
export const complain = (error: unknown): void => show({ text: explainShort(error), tone: 'bad' })

function show(note: Note): void {
  clearTimeout(timer)
  shown.set(note)
  timer = setTimeout(() => shown.set(null), SHOWN_MS)
}

export function Toast() {
  const note = useCell(shown)
  return (
    <div className={styles.place} role="status" data-unprinted>
      {note && (
        <p className={styles.note} data-tone={note.tone}>
          <Icon name={note.tone === 'good' ? 'check' : 'warning'} size={16} /> {note.text}
        </p>
      )}
    </div>
  )
}
