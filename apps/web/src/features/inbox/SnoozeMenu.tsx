import type { ReactElement } from 'react'
import { Menu, MenuItem } from '../../shared/components/Menu'
import { useSnooze } from '../../shared/query/inbox'
import { momentIn } from '../../shared/time'
import { toast, toastError } from '../../shared/toast'
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

/** Hides an inbox item until a time, or until an answer. */
export function SnoozeMenu({ entry, trigger, onSnooze }: SnoozeMenuProps) {
  const snooze = useSnooze()
  const words = inboxTexts.snooze
  const choose = (choice: SnoozeChoice) => {
    const until = snoozeUntil(choice, new Date())?.toISOString()
    snooze.mutate({ space_id: entry.spaceId, event_id: entry.key, until }, { onError: toastError })
    // This menu is gone with its item when the server has answered.
    onSnooze()
    toast(until === undefined ? words.untilAnswer : words.until(momentIn(until, Date.now())))
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
