import { Cell, useCell } from '../cell'
import { Icon } from '../components/Icon'
import styles from './Toast.module.css'

const shown = new Cell<string | null>(null)
/** Long enough to read a few words. */
const SHOWN_MS = 4_000
let timer: ReturnType<typeof setTimeout> | undefined

/** Says for a moment that something was done of which nothing else is to be seen. */
export function say(text: string): void {
  clearTimeout(timer)
  shown.set(text)
  timer = setTimeout(() => shown.set(null), SHOWN_MS)
}

export function Toast() {
  const text = useCell(shown)
  return (
    <div className={styles.place} role="status">
      {text !== null && (
        <p className={styles.note}>
          <Icon name="check" size={16} /> {text}
        </p>
      )}
    </div>
  )
}
