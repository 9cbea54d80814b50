import { Cell, useCell } from '../cell'
import { SecretDialog } from '../components/SecretDialog'
import { texts } from '../texts'

/** The key that was just issued, until its owner has put it away. */
export const newKey = new Cell<string | null>(null)

export function NewKey() {
  const key = useCell(newKey)
  const { title, text, label } = texts.newKey
  return <SecretDialog secret={key} title={title} text={text} label={label} onDone={() => newKey.set(null)} />
}
