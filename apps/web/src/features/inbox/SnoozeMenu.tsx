import type { ReactElement } from 'react'
import { Menu, MenuItem } from '../../shared/components/Menu'
import { useSnooze } from '../../shared/query/inbox'
import { momentIn } from '../../shared/time'
import { toastError, toastWithUndo } from '../../shared/toast'
import type { ItemEntry } from './groups'
import { SNOOZES, type SnoozeChoice, snoozeUntil } from './snooze-times'
import { inboxTexts } from './texts'

interface SnoozeMenuProps {
  readonly entry: ItemEntry
  /** The button that opens it. */
  readonly trigger: ReactElement
  /** Called when the item is about to leave the list. */
  readonly onSnooze: () => void
}

/** Brings an item back at once. */
const PAST = '2000-01-01T00:00:00Z'

/** Hides an inbox item until a time, or until an answer. */
export function SnoozeMenu({ entry, trigger, onSnooze }: SnoozeMenuProps) {
  const snooze = useSnooze()
  const words = inboxTexts.snooze
  const choose = (choice: SnoozeChoice) => {
    const until = snoozeUntil(choice, new Date())?.toISOString()
    const hide = (time: string | undefined) =>
      snooze.mutateAsync({ space_id: entry.spaceId, event_id: entry.key, until: time }).catch(toastError)
    // This menu is gone with its item when the server has answered.
    const hidden = hide(until)
    onSnooze()
    const text = until === undefined ? words.untilAnswer : words.until(momentIn(until, Date.now()))
    toastWithUndo(text, () => void hidden.then(() => hide(PAST)))
  }
  return (
    <Menu trigger={trigger}>
      {SNOOZES.map((choice) => (
        <MenuItem key={choice} icon={choice === 'answer' ? 'reply' : 'clock'} onSelect={() => choose(choice)}>
          {words.choices[choice]}
        </MenuItem>
      ))}
    </Menu>
  )
}
