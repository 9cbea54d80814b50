import { type ReactElement, useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { TextField } from '../../shared/components/Field'
import { Menu, MenuItem } from '../../shared/components/Menu'
import { useSnooze } from '../../shared/query/inbox'
import { momentIn } from '../../shared/time'
import { toastError, toastWithUndo } from '../../shared/toast'
import { type Entry, snoozedBy } from './groups'
import { localMinute, SNOOZES, snoozeUntil } from './snooze-times'
import { inboxTexts } from './texts'

interface SnoozeMenuProps {
  readonly entry: Entry
  /** The button that opens it. */
  readonly trigger: ReactElement
  /** Called when the entry is about to leave the list. */
  readonly onSnooze: () => void
}

/** Brings an entry back at once. */
export const PAST = '2000-01-01T00:00:00Z'

/** Hides an inbox entry until a time, or an item or decision until an answer. */
export function SnoozeMenu({ entry, trigger, onSnooze }: SnoozeMenuProps) {
  const [opened, setOpened] = useState(() => new Date())
  const [isChoosing, setIsChoosing] = useState(false)
  const snooze = useSnooze()
  const words = inboxTexts.snooze
  const snoozeTo = (time: Date | undefined) => {
    const until = time?.toISOString()
    const hide = (time: string | undefined) =>
      snooze.mutateAsync({ ...snoozedBy(entry), until: time }).catch(toastError)
    // This menu is gone with its entry when the server has answered.
    const hidden = hide(until)
    onSnooze()
    toastWithUndo(hiddenInWords(entry, until), () => void hidden.then(() => hide(PAST)))
  }
  return (
    <>
      <Menu trigger={trigger} onOpenChange={(isOpen) => isOpen && setOpened(new Date())}>
        {SNOOZES.map((choice) => {
          const time = snoozeUntil(choice, opened)
          return (
            <MenuItem
              key={choice}
              icon="clock"
              aside={<small>{momentIn(time.toISOString(), opened.getTime())}</small>}
              onSelect={() => snoozeTo(time)}
            >
              {words.choices[choice]}
            </MenuItem>
          )
        })}
        <MenuItem icon="calendar" onSelect={() => setIsChoosing(true)}>
          {words.choose}
        </MenuItem>
        {entry.kind !== 'notice' && (
          <MenuItem icon="reply" onSelect={() => snoozeTo(undefined)}>
            {words.toAnswer}
          </MenuItem>
        )}
      </Menu>
      {isChoosing && <ChooseTime onClose={() => setIsChoosing(false)} onChoose={snoozeTo} />}
    </>
  )
}

/** Asks for a time in the future. The snooze itself reports its failure. */
function ChooseTime({ onClose, onChoose }: { readonly onClose: () => void; readonly onChoose: (time: Date) => void }) {
  const [now] = useState(() => new Date())
  const [time, setTime] = useState(localMinute(snoozeUntil('tomorrow', now)))
  const words = inboxTexts.snooze
  const submit = () => {
    onClose()
    onChoose(new Date(time))
  }
  return (
    <FormDialog
      title={words.open}
      request={{ isPending: false, error: null }}
      submit={words.open}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={words.time}
        type="datetime-local"
        min={localMinute(now)}
        value={time}
        onChange={setTime}
        required
      />
    </FormDialog>
  )
}

/** Returns how long an entry is hidden. */
export function hiddenInWords({ kind }: Entry, until: string | null | undefined): string {
  const words = inboxTexts.snooze
  if (!until) return kind === 'notice' ? words.untilReturned : words.untilAnswer
  const time = momentIn(until, Date.now())
  return kind === 'notice' ? words.untilTime(time) : words.until(time)
}
