import { useCallback, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useHasPreview } from '../../shared/browser/media'
import { useShortcut } from '../../shared/browser/shortcut'
import { Button, IconButton } from '../../shared/components/Button'
import { classes } from '../../shared/components/classes'
import { EmptyState } from '../../shared/components/EmptyState'
import { Icon } from '../../shared/components/Icon'
import { Loaded } from '../../shared/components/Loaded'
import { PageBar } from '../../shared/components/PageBar'
import { OneLine } from '../../shared/components/Text'
import { spacePath } from '../../shared/navigation/paths'
import { useTitle } from '../../shared/navigation/title'
import { useAddressed } from '../../shared/query/addressed'
import { type Inbox, useListedInbox } from '../../shared/query/inbox'
import { useHasScope } from '../../shared/query/permission'
import { useSpaceIcon } from '../../shared/query/space-icon'
import { useSpaceName } from '../../shared/query/space-name'
import { texts } from '../../shared/texts'
import { EntryIcon, EntrySummary } from './EntrySummary'
import { entryPath } from './entry-path'
import { canSnooze, type Entry, entriesOf, type Group, groupsOf, isIn, markOf, TABS, type Tab } from './groups'
import styles from './InboxPage.module.css'
import { Preview } from './Preview'
import { Snoozed } from './Snoozed'
import { SnoozeMenu } from './SnoozeMenu'
import { ThreadName } from './ThreadName'
import { inboxTexts, waitingTexts } from './texts'
import { UndoBar } from './UndoBar'
import { useFocusRestore } from './useFocusRestore'
import { useTriage } from './useTriage'

/** The inbox of this account by space, oldest first, with a preview of the selected entry. */
export function InboxPage() {
  const query = useListedInbox()
  const words = inboxTexts
  useTitle(words.title)
  return (
    <>
      <PageBar />
      {query.isEnabled ? (
        <Loaded query={query} rows={6}>
          {(inbox) => <Entries inbox={inbox} />}
        </Loaded>
      ) : (
        <EmptyState isPage icon="inbox" title={words.noHumanTitle}>
          {words.noHumanText}
        </EmptyState>
      )}
    </>
  )
}

function Entries({ inbox }: { readonly inbox: Inbox }) {
  const words = inboxTexts
  const [tab, setTab] = useState<Tab>('all')
  const [selectedKey, setSelectedKey] = useState<string | null>(null)
  const [, navigate] = useLocation()
  const hasPreview = useHasPreview()
  const hasWriteScope = useHasScope('write')
  const all = entriesOf(inbox)
  const groups = groupsOf(all.filter((entry) => isIn(tab, entry)))
  const shown = groups.flatMap(({ entries }) => entries)
  const { focus, done, leave, allDone, undo, undoable, flush } = useTriage(shown, setSelectedKey)
  const selected = useSelected(shown, selectedKey)

  // The server sends further items once it has recorded these as done.
  const isThrough = inbox.more && inbox.items.length === 0
  useEffect(() => {
    if (isThrough) flush()
  })

  const choose = (entry: Entry | undefined) => {
    if (!entry) return
    setSelectedKey(entry.key)
    document.getElementById(`waits-${entry.key}`)?.focus()
  }
  const step = (by: -1 | 1) => {
    const isAtIt = document.activeElement?.id === `waits-${selected?.key}`
    // The first key press only focuses the selected entry.
    if (selected) choose(isAtIt || selectedKey !== null ? shown[shown.indexOf(selected) + by] : selected)
  }
  useShortcut('j', () => step(1))
  useShortcut('k', () => step(-1))
  useShortcut('e', () => hasWriteScope && selected !== undefined && done(selected))
  const focusSelected = useCallback(() => document.getElementById(`waits-${selected?.key}`)?.focus(), [selected?.key])

  return (
    <div className={styles.page}>
      <div className={styles.side}>
        <header className={styles.head}>
          <h1>{words.title}</h1>
          {hasWriteScope && all.some((entry) => markOf(entry) !== null) && (
            <Button size="small" icon="check" onClick={() => allDone(inbox.done)}>
              {waitingTexts.allDone}
            </Button>
          )}
          <p className={styles.lead}>{words.lead}</p>
        </header>
        <fieldset className={styles.tabs} aria-label={words.tabsLabel}>
          {TABS.map((one) => (
            <button
              key={one}
              type="button"
              className={styles.tab}
              aria-pressed={tab === one}
              onClick={() => setTab(one)}
            >
              {words.tabs[one]} {one !== 'snoozed' && <span className={styles.count}>{countOf(one, all, inbox)}</span>}
            </button>
          ))}
        </fieldset>
        <UndoBar count={undoable} onUndo={undo} onFocusLost={focus.restore} />
        {tab === 'snoozed' ? (
          <Snoozed />
        ) : shown.length === 0 ? (
          <div ref={focus.nothing} tabIndex={-1}>
            <EmptyState icon="check" title={all.length === 0 ? words.nothing : words.nothingOfKind}>
              {all.length === 0 ? words.nothingText : words.nothingOfKindText}
            </EmptyState>
          </div>
        ) : (
          <nav aria-label={words.list} className={styles.list}>
            {groups.map((group) => (
              <GroupOf
                key={group.key}
                group={group}
                selectedKey={selected?.key ?? null}
                onSelect={(entry) => (hasPreview ? choose(entry) : navigate(entryPath(entry)))}
                onOpen={(entry) => navigate(entryPath(entry))}
                onStep={step}
                onDone={hasWriteScope && !hasPreview ? done : undefined}
                onSnooze={leave}
                onFocusLost={focus.restore}
              />
            ))}
            {inbox.more && <p className={styles.more}>{waitingTexts.more(inbox.counts.unread)}</p>}
          </nav>
        )}
      </div>
      {hasPreview && selected && (
        <Preview
          key={selected.key}
          entry={selected}
          onDone={hasWriteScope && markOf(selected) !== null ? () => done(selected) : undefined}
          onSnooze={hasWriteScope && canSnooze(selected) ? () => leave(selected) : undefined}
          onLeave={focusSelected}
          onFocusLost={focus.restore}
        />
      )}
    </div>
  )
}

/** Returns the selected entry, or else the one shown last: a reply to it may be under way while another comes first. */
function useSelected(entries: readonly Entry[], selectedKey: string | null): Entry | undefined {
  const [lastKey, setLastKey] = useState<string | null>(null)
  const find = (one: string | null) => entries.find(({ key }) => key === one)
  const selected = find(selectedKey) ?? find(lastKey) ?? entries[0]
  if (selected && selected.key !== lastKey) setLastKey(selected.key)
  return selected
}

/** For entries not loaded yet, only the total is known. */
const countOf = (tab: Tab, entries: readonly Entry[], { counts }: Inbox): number =>
  tab === 'all' ? counts.unread + counts.decisions + counts.notices : entries.filter((entry) => isIn(tab, entry)).length

interface GroupOfProps {
  readonly group: Group
  readonly selectedKey: string | null
  readonly onSelect: (entry: Entry) => void
  readonly onOpen: (entry: Entry) => void
  readonly onStep: (by: -1 | 1) => void
  /** Undefined where the preview has the button. */
  readonly onDone: ((entry: Entry) => void) | undefined
  readonly onSnooze: (entry: Entry) => void
  /** Called when a row with the focus unmounts. */
  readonly onFocusLost: () => void
}

function GroupOf({ group, selectedKey, onDone, ...row }: GroupOfProps) {
  const { spaceId, startsSpace, threadId, entries } = group
  return (
    <section className={styles.group}>
      {startsSpace && (
        <h2 className={styles.space}>{spaceId === null ? inboxTexts.noSpace : <SpaceLink spaceId={spaceId} />}</h2>
      )}
      {threadId !== null && spaceId !== null && <ThreadName spaceId={spaceId} threadId={threadId} />}
      <ul>
        {entries.map((entry) => (
          <li key={entry.key} className={styles.item}>
            <Row entry={entry} isSelected={entry.key === selectedKey} {...row} />
            {onDone && canSnooze(entry) && (
              <SnoozeMenu
                entry={entry}
                trigger={<IconButton icon="clock" label={inboxTexts.snooze.open} />}
                onSnooze={() => row.onSnooze(entry)}
              />
            )}
            {onDone && markOf(entry) !== null && (
              <IconButton icon="check" label={doneLabelOf(entry)} onClick={() => onDone(entry)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const SpaceLink = ({ spaceId }: { readonly spaceId: string }) => (
  <Link href={spacePath(spaceId)} data-reach>
    <Icon name={useSpaceIcon(spaceId)} size={14} /> <OneLine>{useSpaceName(spaceId)}</OneLine>
  </Link>
)

const doneLabelOf = (entry: Entry): string =>
  entry.kind === 'notice' ? texts.dismiss : waitingTexts.done(entry.kind === 'item' ? entry.earlierCount : 0)

interface RowProps extends Omit<GroupOfProps, 'group' | 'selectedKey' | 'onDone' | 'onSnooze'> {
  readonly entry: Entry
  readonly isSelected: boolean
}

function Row({ entry, isSelected, onSelect, onOpen, onStep, onFocusLost }: RowProps) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusRestore(button, onFocusLost)
  const addressed = useAddressed()
  const isUnread = entry.kind !== 'item' || addressed.isUnread(entry.item)
  return (
    <button
      ref={button}
      id={`waits-${entry.key}`}
      type="button"
      className={classes(styles.row, isSelected && styles.selected)}
      aria-current={isSelected || undefined}
      tabIndex={isSelected ? 0 : -1}
      onClick={() => onSelect(entry)}
      onKeyDown={(event) => {
        const { key } = event
        if (key === 'Enter') onOpen(entry)
        else if (key === 'ArrowDown' || key === 'ArrowUp') onStep(key === 'ArrowDown' ? 1 : -1)
        else return
        event.preventDefault()
      }}
    >
      <EntryIcon entry={entry} />
      <span className={classes(styles.words, isUnread && styles.unread)}>
        <EntrySummary entry={entry} hasSpace={false} hasTime />
      </span>
    </button>
  )
}
