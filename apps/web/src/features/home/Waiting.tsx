import { Link } from 'wouter'
import { Button, IconButton } from '../../shared/components/Button'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { Icon } from '../../shared/components/Icon'
import { List } from '../../shared/components/List'
import { Section } from '../../shared/components/PageFrame'
import { Skeleton } from '../../shared/components/Skeleton'
import { Time } from '../../shared/components/Time'
import { INBOX } from '../../shared/navigation/paths'
import { useListedInbox } from '../../shared/query/inbox'
import { useHasScope } from '../../shared/query/permission'
import { texts } from '../../shared/texts'
import { EntryIcon, EntrySummary } from '../inbox/EntrySummary'
import { entryPath } from '../inbox/entry-path'
import { type Entry, entriesOf, markOf } from '../inbox/groups'
import { waitingTexts } from '../inbox/texts'
import { UndoBar } from '../inbox/UndoBar'
import { useTriage } from '../inbox/useTriage'
import styles from './Waiting.module.css'

/** The number of entries on the home page. */
const MAX_SHOWN = 5

/** The first inbox entries: mentions, replies, decisions and notices. */
export function Waiting() {
  const { data: inbox, error, refetch, isPending, isEnabled } = useListedInbox()
  const entries = inbox ? entriesOf(inbox) : []
  const shown = entries.slice(0, MAX_SHOWN)
  const { focus, done, allDone, undo, undoable } = useTriage(shown)
  const hasWriteScope = useHasScope('write')
  const waiting = waitingTexts
  if (!isEnabled) return null
  const canBeDone = hasWriteScope && entries.some((entry) => markOf(entry) !== null)
  const left = inbox ? inbox.counts.unread + inbox.counts.decisions + inbox.counts.notices - shown.length : 0
  return (
    <Section
      title={texts.waitingForYou}
      aside={
        canBeDone &&
        inbox && (
          <Button size="small" icon="check" onClick={() => allDone(inbox.done)}>
            {waiting.allDone}
          </Button>
        )
      }
    >
      {error && !inbox && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton rows={2} />}
      {inbox && entries.length === 0 && (
        <div className={styles.nothing} ref={focus.nothing} tabIndex={-1}>
          <Icon name="check" /> {waiting.nothing}
        </div>
      )}
      {entries.length > 0 && (
        <List label={texts.waitingForYou}>
          {shown.map((entry) => (
            <Row key={entry.key} entry={entry} onDone={hasWriteScope ? () => done(entry) : undefined} />
          ))}
          {left > 0 && (
            <li className={styles.more}>
              <Link href={INBOX}>{waiting.all}</Link> {waiting.andMore(left)}
            </li>
          )}
        </List>
      )}
      <UndoBar count={undoable} onUndo={undo} onFocusLost={focus.restore} />
    </Section>
  )
}

function Row({ entry, onDone }: { readonly entry: Entry; readonly onDone: (() => void) | undefined }) {
  const waiting = waitingTexts
  const before = entry.kind === 'item' ? entry.earlierCount : 0
  return (
    <li className={styles.row}>
      <EntryIcon entry={entry} />
      <Link href={entryPath(entry)} id={`waits-${entry.key}`} className={styles.words}>
        <EntrySummary entry={entry} hasSpace />
      </Link>
      <small className={styles.time}>
        <Time at={entry.at} />
      </small>
      {onDone && markOf(entry) !== null && (
        <IconButton
          icon="check"
          label={entry.kind === 'notice' ? texts.dismiss : waiting.done(before)}
          onClick={onDone}
        />
      )}
    </li>
  )
}
