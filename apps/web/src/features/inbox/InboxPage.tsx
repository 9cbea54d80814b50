import { useCallback, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useHasPreview } from '../../shared/browser/media'
import { useShortcut } from '../../shared/browser/shortcut'
import { Button } from '../../shared/components/Button'
import { classes } from '../../shared/components/classes'
import { EmptyState } from '../../shared/components/EmptyState'
import { Icon } from '../../shared/components/Icon'
import { Loaded } from '../../shared/components/Loaded'
import { OneLine } from '../../shared/components/OneLine'
import { PageBar } from '../../shared/components/PageBar'
import { Time } from '../../shared/components/Time'
import { spacePath } from '../../shared/navigation/paths'
import { useTitle } from '../../shared/navigation/title'
import { type Inbox, useListedInbox } from '../../shared/query/inbox'
import { useMay } from '../../shared/query/permission'
import { useSpaceName } from '../../shared/query/space-name'
import { EntrySign, EntryWords } from './EntryWords'
import { entryPath } from './entry-path'
import { type Entry, entriesOf, type Group, groupsOf, isIn, markOf, TABS, type Tab } from './groups'
import styles from './InboxPage.module.css'
import { Preview } from './Preview'
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
  const [chosenKey, setChosenKey] = useState<string | null>(null)
  const [, navigate] = useLocation()
  const hasPreview = useHasPreview()
  const mayWrite = useMay('write')
  const all = entriesOf(inbox)
  const groups = groupsOf(all.filter((entry) => isIn(tab, entry)))
  const shown = groups.flatMap(({ entries }) => entries)
  const { focus, done, allDone, undo, undoable, flush } = useTriage(shown, setChosenKey)
  const chosen = shown.find(({ key }) => key === chosenKey) ?? shown[0]

  // The server sends further items once it has recorded these as done.
  const isThrough = inbox.more && inbox.items.length === 0
  useEffect(() => {
    if (isThrough) flush()
  })

  const choose = (entry: Entry | undefined) => {
    if (!entry) return
    setChosenKey(entry.key)
    document.getElementById(`waits-${entry.key}`)?.focus()
  }
  const step = (by: -1 | 1) => {
    const isAtIt = document.activeElement?.id === `waits-${chosen?.key}`
    // The first key press only focuses the selected entry.
    if (chosen) choose(isAtIt || chosenKey !== null ? shown[shown.indexOf(chosen) + by] : chosen)
  }
  useShortcut('j', () => step(1))
  useShortcut('k', () => step(-1))
  useShortcut('e', () => mayWrite && chosen !== undefined && done(chosen))
  const toChosen = useCallback(() => document.getElementById(`waits-${chosen?.key}`)?.focus(), [chosen?.key])

  return (
    <div className={styles.page}>
      <div className={styles.side}>
        <header className={styles.head}>
          <h1>{words.title}</h1>
          {mayWrite && all.some((entry) => markOf(entry) !== null) && (
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
              {words.tabs[one]} <span className={styles.count}>{countOf(one, all, inbox)}</span>
            </button>
          ))}
        </fieldset>
        <UndoBar count={undoable} onUndo={undo} onGone={focus.restore} />
        {shown.length === 0 ? (
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
                chosenKey={chosen?.key ?? null}
                onChoose={(entry) => (hasPreview ? choose(entry) : navigate(entryPath(entry)))}
                onOpen={(entry) => navigate(entryPath(entry))}
                onStep={step}
                onGone={focus.restore}
              />
            ))}
            {inbox.more && <p className={styles.more}>{waitingTexts.more(inbox.counts.unread)}</p>}
          </nav>
        )}
      </div>
      {hasPreview && chosen && (
        <Preview
          key={chosen.key}
          entry={chosen}
          onDone={mayWrite && markOf(chosen) !== null ? () => done(chosen) : undefined}
          onLeave={toChosen}
          onGone={focus.restore}
        />
      )}
    </div>
  )
}

/** For entries not loaded yet, only the total is known. */
const countOf = (tab: Tab, entries: readonly Entry[], { counts }: Inbox): number =>
  tab === 'all' ? counts.unread + counts.decisions + counts.notices : entries.filter((entry) => isIn(tab, entry)).length

interface GroupOfProps {
  readonly group: Group
  readonly chosenKey: string | null
  readonly onChoose: (entry: Entry) => void
  readonly onOpen: (entry: Entry) => void
  readonly onStep: (by: -1 | 1) => void
  /** Called when a row with the focus unmounts. */
  readonly onGone: () => void
}

function GroupOf({ group, chosenKey, onChoose, onOpen, onStep, onGone }: GroupOfProps) {
  const { spaceId, startsSpace, threadId, entries } = group
  return (
    <section className={styles.group}>
      {startsSpace && (
        <h2 className={styles.space}>{spaceId === null ? inboxTexts.noSpace : <SpaceLink spaceId={spaceId} />}</h2>
      )}
      {threadId !== null && spaceId !== null && <ThreadName spaceId={spaceId} threadId={threadId} />}
      <ul>
        {entries.map((entry) => (
          <li key={entry.key}>
            <Row entry={entry} isChosen={entry.key === chosenKey} {...{ onChoose, onOpen, onStep, onGone }} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const SpaceLink = ({ spaceId }: { readonly spaceId: string }) => (
  <Link href={spacePath(spaceId)} data-reach>
    <Icon name="space" size={14} /> <OneLine>{useSpaceName(spaceId)}</OneLine>
  </Link>
)

interface RowProps extends Omit<GroupOfProps, 'group' | 'chosenKey'> {
  readonly entry: Entry
  readonly isChosen: boolean
}

function Row({ entry, isChosen, onChoose, onOpen, onStep, onGone }: RowProps) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusRestore(button, onGone)
  return (
    <button
      ref={button}
      id={`waits-${entry.key}`}
      type="button"
      className={classes(styles.row, isChosen && styles.chosen)}
      aria-current={isChosen || undefined}
      tabIndex={isChosen ? 0 : -1}
      onClick={() => onChoose(entry)}
      onKeyDown={(event) => {
        const { key } = event
        if (key === 'Enter') onOpen(entry)
        else if (key === 'ArrowDown' || key === 'ArrowUp') onStep(key === 'ArrowDown' ? 1 : -1)
        else return
        event.preventDefault()
      }}
    >
      <EntrySign entry={entry} />
      <span className={styles.words}>
        <EntryWords entry={entry} hasSpace={false} />
      </span>
      <small className={styles.time}>
        <Time at={entry.at} />
      </small>
    </button>
  )
}
