import { currentText, type Decision, type Event } from '@collab-spaces/client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { copyLink, copySource } from '../../shared/browser/copy'
import { useShortcut } from '../../shared/browser/shortcut'
import { useCell } from '../../shared/cell'
import { Button } from '../../shared/components/Button'
import { Loaded } from '../../shared/components/Loaded'
import { SpaceName } from '../../shared/components/SpaceName'
import { Time } from '../../shared/components/Time'
import { Markdown } from '../../shared/markdown/Markdown'
import { eventPath, threadPath } from '../../shared/navigation/paths'
import { useNames } from '../../shared/query/names'
import { useSpaceName } from '../../shared/query/space-name'
import { surroundingsKey, useSurroundings } from '../../shared/query/surroundings'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { toast } from '../../shared/toast'
import { Composer } from '../composer/Composer'
import { ComposerGate } from '../composer/ComposerGate'
import { outboxOf } from '../composer/outboxes'
import { Authorization } from '../decision/Authorization'
import { DecisionActions } from '../decision/DecisionActions'
import { EventDetails } from '../history/EventDetails'
import { type EventActions, EventItem } from '../history/EventItem'
import { withRevisions } from '../history/fold-revisions'
import { OutgoingItem } from '../history/OutgoingItem'
import { lineOf } from '../history/rows'
import { actsTexts } from '../history/texts'
import { textOf } from './EntrySummary'
import { entryPath } from './entry-path'
import type { Entry, ItemEntry } from './groups'
import styles from './Preview.module.css'
import { SnoozeMenu } from './SnoozeMenu'
import { inboxTexts } from './texts'
import { useFocusRestore } from './useFocusRestore'

interface PreviewProps {
  readonly entry: Entry
  /** Undefined if the entry cannot be marked as done. */
  readonly onDone: (() => void) | undefined
  /** Called when the entry is snoozed. Undefined if it cannot be. */
  readonly onSnooze: (() => void) | undefined
  /** Moves the focus out of the preview. */
  readonly onLeave: () => void
  /** Called when it unmounts with the focus, such as when its decision is settled. */
  readonly onFocusLost: () => void
}

/** The selected inbox entry: a message with its surroundings and a composer, a decision or a notice. */
export function Preview({ entry, onDone, onSnooze, onLeave, onFocusLost }: PreviewProps) {
  const words = inboxTexts
  if (entry.kind === 'item') return <ItemPreview {...{ entry, onDone, onSnooze, onLeave, onFocusLost }} />
  const isDecision = entry.kind === 'decision'
  return (
    <Frame
      entry={entry}
      onFocusLost={onFocusLost}
      open={isDecision ? actsTexts.open : words.openPlace}
      done={
        <>
          {onSnooze && <SnoozeButton entry={entry} onSnooze={onSnooze} />}
          {!isDecision && onDone && <DoneButton label={texts.dismiss} onDone={onDone} />}
        </>
      }
    >
      {isDecision ? <DecisionText decision={entry.decision} /> : <p className={styles.text}>{textOf(entry)}</p>}
    </Frame>
  )
}

const DoneButton = ({ label, onDone }: { readonly label: string; readonly onDone: () => void }) => (
  <Button size="small" icon="check" onClick={onDone} aria-keyshortcuts="e">
    {label}
  </Button>
)

const SnoozeButton = ({ entry, onSnooze }: { readonly entry: Entry; readonly onSnooze: () => void }) => (
  <SnoozeMenu
    entry={entry}
    trigger={
      <Button size="small" icon="clock">
        {inboxTexts.snooze.open}
      </Button>
    }
    onSnooze={onSnooze}
  />
)

interface FrameProps extends Pick<PreviewProps, 'onFocusLost'> {
  readonly entry: Entry
  readonly open: string
  readonly done: ReactNode
  readonly children: ReactNode
  readonly footer?: ReactNode
}

function Frame({ entry, onFocusLost, open, done, children, footer }: FrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  useFocusRestore(frame, onFocusLost)
  return (
    <div ref={frame} className={styles.preview}>
      <header className={styles.head}>
        <span className={styles.place}>
          {entry.spaceId === null ? inboxTexts.noSpace : <SpaceName spaceId={entry.spaceId} />}
        </span>
        <Link href={entryPath(entry)} className={styles.open}>
          {open}
        </Link>
        {done}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable */}
      <section className={styles.body} tabIndex={0} aria-label={inboxTexts.preview}>
        {children}
      </section>
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </div>
  )
}

function DecisionText({ decision }: { readonly decision: Decision }) {
  const { space_id, posted_by, created_at, text } = decision
  const names = useNames(space_id)
  return (
    <div className={styles.text}>
      <p className={styles.by}>
        {inboxTexts.proposer} <bdi>{names.nameOf(posted_by)}</bdi> · <Time at={created_at} />
      </p>
      <Markdown text={text} />
      <Authorization decision={decision} names={names} />
      <DecisionActions decision={decision} />
    </div>
  )
}

interface ItemPreviewProps extends Omit<PreviewProps, 'entry'> {
  readonly entry: ItemEntry
}

function ItemPreview({ entry, onDone, onSnooze, onLeave, onFocusLost }: ItemPreviewProps) {
  const { event } = entry.item
  const { space_id: spaceId, event_id, thread_id } = event
  const { account } = useSession()
  const name = useSpaceName(spaceId)
  const names = useNames(spaceId)
  const surroundings = useSurroundings(event)
  const outbox = outboxOf(account, spaceId)
  const outgoing = useCell(outbox.entries).filter((one) => one.parentEventId === event_id)
  const [detailed, setDetailed] = useState<Event | null>(null)
  const actions = useActions(spaceId, setDetailed)
  const isAnswered = useArrivals(spaceId, event_id, outbox)
  const target = useRef<HTMLDivElement>(null)
  const isHere = surroundings.data !== undefined
  useEffect(() => {
    if (isHere) target.current?.scrollIntoView({ block: 'center' })
  }, [isHere])
  useShortcut('r', focusReply)
  const words = inboxTexts
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    // The server clears what was answered, but not earlier items.
    if (isAnswered) toast(words.sent(event.posted_by_name, entry.earlierCount))
  }, [isAnswered])
  return (
    <Frame
      entry={entry}
      onFocusLost={onFocusLost}
      open={words.openItem}
      done={
        <>
          {onSnooze && <SnoozeButton entry={entry} onSnooze={onSnooze} />}
          {onDone && <DoneButton label={words.done(entry.earlierCount)} onDone={onDone} />}
        </>
      }
      footer={
        <div data-reply>
          <ComposerGate spaceId={spaceId}>
            <Composer
              place={{ actorId: account.actorId, spaceId, threadOf: event_id }}
              label={words.replyIn(event.posted_by_name, name)}
              placeholder={words.replyTo(event.posted_by_name)}
              onLeave={onLeave}
              onSend={(message) => outbox.send({ ...message, parentEventId: event_id, threadId: thread_id })}
            />
          </ComposerGate>
        </div>
      }
    >
      <Loaded query={surroundings} rows={4}>
        {({ events, hasMore }) => (
          <>
            {withRevisions(events).map((one) => (
              <div key={one.event_id} ref={one.event_id === event_id ? target : null}>
                <EventItem
                  row={lineOf(one, 'inbox')}
                  names={names}
                  actions={actions}
                  isSelected={false}
                  isTarget={one.event_id === event_id}
                  isInThread
                />
              </div>
            ))}
            {outgoing.map((one) => (
              <OutgoingItem key={one.key} outgoing={one} outbox={outbox} />
            ))}
            {hasMore && <p className={styles.more}>{words.more}</p>}
          </>
        )}
      </Loaded>
      <EventDetails event={detailed} onClose={() => setDetailed(null)} />
    </Frame>
  )
}

const focusReply = () => document.querySelector<HTMLElement>('[data-reply] textarea')?.focus()

function useActions(spaceId: string, showDetails: (event: Event) => void): EventActions {
  const [, navigate] = useLocation()
  return useMemo(
    () => ({
      reply: focusReply,
      openThread: ({ event_id, thread_id }) => navigate(threadPath(spaceId, thread_id ?? event_id)),
      showDetails,
      propose: null,
      revise: null,
      copyText: (event) => void copySource(currentText(event)),
      copyLink: ({ event_id }) => void copyLink(eventPath(spaceId, event_id)),
      goTo: (eventId) => navigate(eventPath(spaceId, eventId)),
    }),
    [spaceId, navigate, showDetails],
  )
}

/**
 * The inbox has no event stream: refetches the surroundings when a message has been sent. Returns whether an answer to
 * an event has just been sent.
 */
function useArrivals(spaceId: string, eventId: string, outbox: ReturnType<typeof outboxOf>): boolean {
  const cache = useQueryClient()
  const sent = useCell(outbox.entries).filter(({ state }) => state === 'sent')
  const count = sent.length
  useEffect(() => {
    if (count === 0) return
    void cache.invalidateQueries({ queryKey: surroundingsKey(spaceId) }).then(() => outbox.wasRead([]))
  }, [count, cache, spaceId, outbox])
  return sent.some(({ parentEventId }) => parentEventId === eventId)
}
