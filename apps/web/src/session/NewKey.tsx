import type { Ended } from '@collab-spaces/client'
import { Cell, useCell } from '../cell'
import { SecretDialog } from '../components/SecretDialog'
import { EndedList } from '../credential/EndedList'
import { texts } from '../texts'
import { HiddenUsername } from './HiddenUsername'
import { useAccounts } from './session'

interface Issued {
  readonly secret: string
  /** The things that have ended with the key before, if that was asked for. */
  readonly ended: Ended | null
}

/** The key that was just issued, until its owner has put it away. */
export const newKey = new Cell<Issued | null>(null)

export function NewKey() {
  const issued = useCell(newKey)
  const { active } = useAccounts()
  const { title, text, label } = texts.newKey
  return (
    <SecretDialog
      secret={issued?.secret ?? null}
      title={title}
      text={text}
      label={label}
      onDone={() => newKey.set(null)}
    >
      {issued && (
        <form>
          <HiddenUsername name={active?.name ?? texts.product} />
          <input type="password" name="password" autoComplete="new-password" value={issued.secret} readOnly hidden />
        </form>
      )}
      <EndedList ended={issued?.ended} title={texts.ended.after} />
    </SecretDialog>
  )
}
