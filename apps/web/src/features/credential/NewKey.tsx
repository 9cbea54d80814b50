import { useCell } from '../../shared/cell'
import { HiddenUsername } from '../../shared/components/Field'
import { SecretDialog } from '../../shared/components/SecretDialog'
import { newKey } from '../../shared/session/new-key'
import { useAccounts } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { EndedList } from './EndedList'
import { endedTexts, newKeyTexts } from './texts'

export function NewKey() {
  const issued = useCell(newKey)
  const { active } = useAccounts()
  const { title, text, label } = newKeyTexts
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
      <EndedList ended={issued?.ended} title={endedTexts.after} />
    </SecretDialog>
  )
}
