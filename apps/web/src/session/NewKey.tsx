import type { Ended } from '@collab-spaces/client'
import { Cell, useCell } from '../cell'
import { SecretDialog } from '../components/SecretDialog'
import { EndedList } from '../credential/EndedList'
import { texts } from '../texts'

interface Issued {
  readonly secret: string
  /** The things that have ended with the key before, if that was asked for. */
  readonly ended: Ended | null
}

/** The key that was just issued, until its owner has put it away. */
export const newKey = new Cell<Issued | null>(null)

export function NewKey() {
  const issued = useCell(newKey)
  const { title, text, label } = texts.newKey
  return (
    <SecretDialog
      secret={issued?.secret ?? null}
      title={title}
      text={text}
      label={label}
      onDone={() => newKey.set(null)}
    >
      <EndedList ended={issued?.ended} title={texts.ended.after} />
    </SecretDialog>
  )
}
