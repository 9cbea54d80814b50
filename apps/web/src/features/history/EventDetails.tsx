import { attributionOf, type Event, shownTime } from '@collab-spaces/client'
import { Badge } from '../../shared/components/Badge'
import { Dialog } from '../../shared/components/Dialog'
import { Fact, Facts } from '../../shared/components/Fact'
import { Time } from '../../shared/components/Time'
import { useRevisions } from '../../shared/query/event'
import { useNames } from '../../shared/query/names'
import { hasNews, useReceipts } from '../../shared/query/receipt'
import { texts } from '../../shared/texts'
import { fileTexts } from '../file/texts'
import { stateInWords } from './receipt-in-words'
import { detailsTexts, revisionTexts, threadTexts } from './texts'

interface EventDetailsProps {
  /** Null while the dialog is closed. */
  readonly event: Event | null
  readonly onClose: () => void
}

/** A dialog with all fields and receipts of an event. */
export function EventDetails({ event, onClose }: EventDetailsProps) {
  return (
    <Dialog isOpen={event !== null} onClose={onClose} title={detailsTexts.title}>
      {event && <EventFacts event={event} />}
    </Dialog>
  )
}

function EventFacts({ event }: { readonly event: Event }) {
  const details = detailsTexts
  const attribution = attributionOf(event)
  return (
    <Facts>
      <Fact name={details.poster}>
        <bdi>{event.posted_by_name}</bdi>{' '}
        <Badge tone={event.posted_by_type}>{texts.speakers[event.posted_by_type]}</Badge> <code>{event.posted_by}</code>
      </Fact>
      {attribution && (
        <>
          <Fact name={details.speaker}>
            <bdi>{attribution.name}</bdi> <code>{attribution.id}</code> <Badge tone="warn">{details.claimed}</Badge>
          </Fact>
          <Fact name={details.kind}>{attribution.type}</Fact>
        </>
      )}
      <Fact name={details.time}>
        <Time at={shownTime(event)} form="full" />
      </Fact>
      {event.occurred_at !== undefined && (
        <Fact name={details.imported}>
          <Time at={event.timestamp} form="full" />
        </Fact>
      )}
      <Fact name={details.id}>
        <code>{event.event_id}</code>
      </Fact>
      {event.thread_id !== null && (
        <Fact name={threadTexts.title}>
          <code>{event.thread_id}</code>
        </Fact>
      )}
      {event.parent_event_id !== null && (
        <Fact name={details.parent}>
          <code>{event.parent_event_id}</code>
        </Fact>
      )}
      {event.files?.map(({ file_id, name, sha256 }) => (
        <Fact key={file_id} name={fileTexts.sha256(name)}>
          <code>{sha256}</code>
        </Fact>
      ))}
      <Revisions event={event} />
      <Receipts event={event} />
      {event.metadata !== null && (
        <Fact name={details.metadata}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable */}
          <pre tabIndex={0}>{JSON.stringify(event.metadata, null, 2)}</pre>
        </Fact>
      )}
    </Facts>
  )
}

/** All texts of an event, oldest first. Renders nothing for an event that has only one. */
function Revisions({ event }: { readonly event: Event }) {
  const revisions = useRevisions(event).data ?? []
  if (revisions.length === 0) return null
  return (
    <Fact name={revisionTexts.history}>
      <ol>
        {[event, ...revisions].map(({ event_id, timestamp, text, retracts }) => (
          <li key={event_id}>
            <small>
              <Time at={timestamp} form="full" />
            </small>
            <p>
              {retracts !== undefined && <strong>{revisionTexts.reason}</strong>}
              {retracts !== undefined && text !== revisionTexts.reason && ': '}
              {text !== revisionTexts.reason && <bdi>{text}</bdi>}
            </p>
          </li>
        ))}
      </ol>
    </Fact>
  )
}

/** The receipts of an event. Renders nothing for an event without recipients. */
function Receipts({ event: { space_id, event_id } }: { readonly event: Event }) {
  const receipts = (useReceipts(space_id, event_id).data ?? []).filter(hasNews)
  const { nameOf } = useNames(space_id)
  if (receipts.length === 0) return null
  return (
    <Fact name={detailsTexts.receipts}>
      <ul>
        {receipts.map((receipt) => (
          <li key={receipt.actor_id}>
            <bdi>{nameOf(receipt.actor_id)}</bdi>: {stateInWords(receipt)}
            {receipt.since !== null && (
              <>
                , <Time at={receipt.since} />
              </>
            )}
          </li>
        ))}
      </ul>
    </Fact>
  )
}
