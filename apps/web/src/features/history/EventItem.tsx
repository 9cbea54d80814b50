import { type Event, type Mentionable, revisedId, shownOf, shownTime } from '@collab-spaces/client'
import { type ComponentProps, type KeyboardEvent, memo, type ReactNode, useMemo, useState } from 'react'
import { HAS_KEYBOARD } from '../../shared/browser/media'
import { IconButton } from '../../shared/components/Button'
import { classes } from '../../shared/components/classes'
import { Icon } from '../../shared/components/Icon'
import { Poster, PosterAvatar } from '../../shared/components/Poster'
import { UserLink } from '../../shared/components/Text'
import { Time } from '../../shared/components/Time'
import { WorkClaimLine } from '../../shared/components/WorkClaimLine'
import { mentionedIn } from '../../shared/markdown/excerpt'
import { Markdown, safeAddress } from '../../shared/markdown/Markdown'
import { posterInWords } from '../../shared/poster'
import type { Names } from '../../shared/query/names'
import { useWorkClaim } from '../../shared/query/work-claim'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { clockTime } from '../../shared/time'
import { EventFiles } from '../file/EventFiles'
import { Reactions } from '../reaction/Reactions'
import { ReactMenu } from '../reaction/ReactMenu'
import { Clamped } from './Clamped'
import styles from './EventItem.module.css'
import { Line } from './Line'
import { ParentQuote } from './ParentQuote'
import { ReceiptLine } from './ReceiptLine'
import { canRevise } from './revise'
import type { EventRow } from './rows'
import { actsTexts, historyTexts, revisionTexts } from './texts'

interface EventItemProps {
  readonly row: EventRow
  readonly names: Names
  readonly actions: EventActions
  /** Whether it is the selected line. */
  readonly isSelected: boolean
  /** Whether a link led to it. */
  readonly isTarget: boolean
  /** Whether it is shown in a thread panel, where Tab reaches each event and no mark says that it is in a thread. */
  readonly isInThread?: boolean | undefined
}

/** An event as a line of the history. */
export const EventItem = memo(function EventItem(props: EventItemProps) {
  const { row, names, actions, isSelected, isTarget, isInThread } = props
  const [isHot, setIsHot] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const [isReacting, setIsReacting] = useState(false)
  const { event, isContinued, replies } = row
  const { occurred_at, parent_event_id, thread_id } = event
  const at = shownTime(event)
  const revised = revisedId(event)
  const claim = useWorkClaim(event.space_id, { eventId: event.event_id })
  const mentioned = useMemo(() => mentionedIn(event, names), [event, names])
  return (
    <Line
      row={row}
      at={at}
      className={classes(isContinued && styles.continued, isTarget && styles.target)}
      aria-label={historyTexts.by(posterInWords(event), clockTime(at))}
      tabIndex={isSelected || isInThread ? 0 : -1}
      // A touch fires this while scrolling.
      onPointerEnter={({ pointerType }) => setIsHot(pointerType !== 'touch')}
      onPointerLeave={() => setIsHot(false)}
      onFocus={({ currentTarget }) => {
        setHasFocus(true)
        scrollToToolbar(currentTarget)
      }}
      onBlur={({ currentTarget, relatedTarget }) => setHasFocus(currentTarget.contains(relatedTarget))}
    >
      <div className={styles.gutter}>
        {isContinued ? (
          <span className={styles.smallTime}>
            <Time at={at} form="shortClock" />
          </span>
        ) : (
          <PosterAvatar of={event} isStopped={names.find(event.posted_by)?.isStopped} />
        )}
      </div>
      <div className={styles.body}>
        {!isContinued && (
          <header className={styles.head}>
            <Poster of={event} hasCard />
            <small className={styles.time}>
              <Time at={at} form="clock" />
              {occurred_at !== undefined && ` · ${historyTexts.imported}`}
            </small>
          </header>
        )}
        {revised !== undefined && (
          <>
            <small>{revisionTexts.corrects}</small>
            <ParentQuote spaceId={event.space_id} eventId={revised} names={names} onGo={actions.goTo} />
          </>
        )}
        {isInThread
          ? null
          : thread_id !== null
            ? // A continued event is in the thread of the one above.
              !isContinued && (
                <button type="button" className={styles.context} data-reach onClick={() => actions.openThread(event)}>
                  <Icon name="thread" size={14} /> {historyTexts.inThread}
                </button>
              )
            : parent_event_id !== null && (
                <ParentQuote spaceId={event.space_id} eventId={parent_event_id} names={names} onGo={actions.goTo} />
              )}
        <EventText event={event} mentioned={mentioned} onHistory={() => actions.showDetails(event)} />
        <References uris={event.references} />
        <Reactions event={event} />
        <WorkClaimLine claim={claim} />
        <ReceiptLine event={event} names={names} />
        {replies > 0 && (
          <button type="button" className={styles.replies} data-reach onClick={() => actions.openThread(event)}>
            <Icon name="thread" size={14} /> {historyTexts.replies(replies)}
          </button>
        )}
      </div>
      {(isHot || isSelected || isReacting || (isInThread && hasFocus)) && (
        <Toolbar event={event} actions={actions} onReacting={setIsReacting} />
      )}
    </Line>
  )
})

interface EventTextProps {
  readonly event: Event
  readonly mentioned: readonly Mentionable[]
  /** Shows the earlier texts. */
  readonly onHistory: () => void
}

/** The newest text of an event, and whether it is not the first one. */
function EventText({ event, mentioned, onHistory }: EventTextProps): ReactNode {
  if (event.redacted_at) return <p className={styles.erased}>{texts.erased}</p>
  const shown = shownOf(event)
  const history = (label: string) => (
    <button
      type="button"
      className={styles.context}
      data-reach
      aria-label={`${label} ${revisionTexts.showHistory}`}
      onClick={onHistory}
    >
      {label}
    </button>
  )
  if (shown.state === 'retracted') return <p className={styles.erased}>{history(texts.retracted)}</p>
  return (
    <>
      <Clamped text={shown.text}>
        <Markdown text={shown.text} mentioned={mentioned} />
      </Clamped>
      {shown.state === 'edited' && history(revisionTexts.edited)}
      {event.files && <EventFiles spaceId={event.space_id} files={event.files} />}
    </>
  )
}

/** Scrolls to the toolbar, which on touch screens is below the line. */
function scrollToToolbar(line: HTMLElement): void {
  if (HAS_KEYBOARD) return
  requestAnimationFrame(() => line.querySelector('[role="toolbar"]')?.scrollIntoView({ block: 'nearest' }))
}

function References({ uris }: { readonly uris: readonly string[] }): ReactNode {
  if (uris.length === 0) return null
  return (
    <ul className={styles.references} aria-label={historyTexts.references}>
      {[...new Set(uris)].map((uri) => {
        const address = safeAddress(uri)
        return (
          <li key={uri}>
            <Icon name="link" size={13} />
            {address === null ? <span>{uri}</span> : <UserLink href={address}>{uri}</UserLink>}
          </li>
        )
      })}
    </ul>
  )
}

interface ToolbarProps extends Pick<EventItemProps, 'actions'> {
  readonly event: Event
  /** Called when the choice of reactions opens and closes. */
  readonly onReacting: (isOpen: boolean) => void
}

/** A button of the toolbar. The Tab key reaches only the first one, and arrows the rest. */
const Tool = (props: ComponentProps<typeof IconButton>) => <IconButton size="small" tabIndex={-1} {...props} />

function moveInToolbar(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget } = event
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return
  const isForwards = (key === 'ArrowRight') === (getComputedStyle(currentTarget).direction === 'ltr')
  const buttons = [...currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(event.target as HTMLButtonElement)
  const next = buttons.at((at + (isForwards ? 1 : -1)) % buttons.length)
  if (at === -1 || !next) return
  event.preventDefault()
  next.focus()
}

function Toolbar({ event, actions, onReacting }: ToolbarProps): ReactNode {
  const history = historyTexts
  const { actorId } = useSession().account
  const { revise } = actions
  const isInThread = event.thread_id !== null
  return (
    <div
      className={styles.toolbar}
      role="toolbar"
      aria-label={history.actions}
      data-unprinted
      onKeyDown={moveInToolbar}
    >
      <Tool tabIndex={0} icon="reply" label={history.reply} onClick={() => actions.reply(event)} />
      <ReactMenu event={event} onOpenChange={onReacting} />
      <Tool
        icon="thread"
        label={isInThread ? history.openThread : history.startThread}
        onClick={() => actions.openThread(event)}
      />
      {actions.propose && <Tool icon="decision" label={actsTexts.propose} onClick={() => actions.propose?.(event)} />}
      {revise && canRevise(event, actorId) && (
        <>
          <Tool icon="edit" label={revisionTexts.edit} onClick={() => revise.edit(event)} />
          <Tool icon="retract" label={revisionTexts.retract} onClick={() => revise.retract(event)} />
        </>
      )}
      {!event.redacted_at && <Tool icon="copy" label={history.copyText} onClick={() => actions.copyText(event)} />}
      <Tool icon="link" label={history.copyLink} onClick={() => actions.copyLink(event)} />
      <Tool icon="info" label={history.details} onClick={() => actions.showDetails(event)} />
    </div>
  )
}

/** The actions on an event. */
export interface EventActions {
  reply(event: Event): void
  openThread(event: Event): void
  showDetails(event: Event): void
  /** Copies the Markdown source. */
  copyText(event: Event): void
  copyLink(event: Event): void
  /** Proposes its text as a decision; null where the account cannot propose. */
  readonly propose: ((event: Event) => void) | null
  /** Edits and retracts events of the account; null where it cannot post. */
  readonly revise: { edit(event: Event): void; retract(event: Event): void } | null
  /** Scrolls to another event of the history. */
  goTo(eventId: string): void
}
