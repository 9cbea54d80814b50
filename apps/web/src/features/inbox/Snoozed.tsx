import { useRef } from 'react'
import { Link } from 'wouter'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { List, ListRow } from '../../shared/components/List'
import { Loaded } from '../../shared/components/Loaded'
import { useSnooze, useSnoozed } from '../../shared/query/inbox'
import { useHasScope } from '../../shared/query/permission'
import { toastError } from '../../shared/toast'
import { EntryIcon, EntrySummary } from './EntrySummary'
import { entryPath } from './entry-path'
import { canSnooze, type Entry, entriesOf, snoozedBy } from './groups'
import { hiddenInWords, PAST } from './SnoozeMenu'
import { inboxTexts } from './texts'

/** What is snoozed, when each comes back, and a button that brings it back now. */
export function Snoozed() {
  const query = useSnoozed()
  const hasWriteScope = useHasScope('write')
  const { mutateAsync: snooze } = useSnooze()
  const list = useRef<HTMLDivElement>(null)
  const bringBack = (entry: Entry, button: HTMLButtonElement) => {
    void snooze({ ...snoozedBy(entry), until: PAST }).catch(toastError)
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const index = buttons.indexOf(button)
    ;(buttons[index + 1] ?? buttons[index - 1] ?? list.current)?.focus()
  }
  return (
    <div ref={list} tabIndex={-1}>
      <Loaded query={query} rows={3}>
        {(inbox) =>
          inbox.items.length + inbox.decisions.length + inbox.notices.length === 0 ? (
            <EmptyState icon="clock" title={inboxTexts.snooze.nothing} />
          ) : (
            <List label={inboxTexts.tabs.snoozed}>
              {entriesOf(inbox).map((entry) => (
                <ListRow
                  key={entry.key}
                  icon={<EntryIcon entry={entry} />}
                  title={
                    <Link href={entryPath(entry)}>
                      <EntrySummary entry={entry} hasSpace />
                    </Link>
                  }
                  actions={
                    hasWriteScope &&
                    canSnooze(entry) && (
                      <Button size="small" onClick={({ currentTarget }) => bringBack(entry, currentTarget)}>
                        {inboxTexts.snooze.bringBack}
                      </Button>
                    )
                  }
                >
                  {hiddenInWords(entry, inbox.snoozed_until?.[entry.key])}
                </ListRow>
              ))}
            </List>
          )
        }
      </Loaded>
    </div>
  )
}
