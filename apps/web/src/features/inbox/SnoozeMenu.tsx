import type { ReactElement } from 'react'
import { Menu, MenuItem } from '../../shared/components/Menu'
import { useSnooze } from '../../shared/query/inbox'
import { momentIn } from '../../shared/time'
import { toastError, toastWithUndo } from '../../shared/toast'
import { type Entry, snoozedBy } from './groups'
import { SNOOZES, type SnoozeChoice, snoozeUntil } from './snooze-times'
import { inboxTexts } from './texts'

interface SnoozeMenuProps {
  readonly entry: Entry
  /** The button that opens it. */
  readonly trigger: ReactElement
  /** Called when the entry is about to leave the list. */
  readonly onSnooze: () => void
}

/** Brings an entry back at once. */
const PAST = '2000-01-01T00:00:00Z'

/** Hides an inbox entry until a time, or an item or decision until an answer. */
export function SnoozeMenu({ entry, trigger, onSnooze }: SnoozeMenuProps) {
  const snooze = useSnooze()
  const words = inboxTexts.snooze
  const choose = (choice: SnoozeChoice) => {
    const until = snoozeUntil(choice, new Date())?.toISOString()
    const hide = (time: string | undefined) =>
      snooze.mutateAsync({ ...snoozedBy(entry), until: time }).catch(toastError)
    // This menu is gone with its entry when the server has answered.
    const hidden = hide(until)
    onSnooze()
    toastWithUndo(hiddenInWords(entry, until), () => void hidden.then(() => hide(PAST)))
  }
  return (
    <Menu trigger={trigger}>
      {SNOOZES.filter((choice) => choice !== 'answer' || entry.kind !== 'notice').map((choice) => (
        <MenuItem key={choice} icon={choice === 'answer' ? 'reply' : 'clock'} onSelect={() => choose(choice)}>
          {words.choices[choice]}
        </MenuItem>
      ))}
    </Menu>
  )
}

function hiddenInWords({ kind }: Entry, until: string | undefined): string {
  const words = inboxTexts.snooze
  if (until === undefined) return words.untilAnswer
  const time = momentIn(until, Date.now())
  return kind === 'notice' ? words.untilTime(time) : words.until(time)
}
