import type { Event } from '@collab-spaces/client'
import type { ReactNode } from 'react'
import { Badge } from '../components/Badge'
import { Dialog } from '../components/Dialog'
import { Time } from '../components/Time'
import { texts } from '../texts'
import styles from './EventDetails.module.css'
import { isClaimed, type People } from './people'

interface EventDetailsProps {
  /** Null while nobody asks. */
  readonly event: Event | null
  readonly people: People
  readonly onClose: () => void
}

/** Everything that is known of an event. */
export function EventDetails({ event, people, onClose }: EventDetailsProps) {
  return (
    <Dialog isOpen={event !== null} onClose={onClose} title={texts.details.title}>
      {event && <Facts event={event} people={people} />}
    </Dialog>
  )
}

function Facts({ event, people }: { readonly event: Event; readonly people: People }) {
  const { details } = texts
  const {
    event_id,
    speaker_id,
    speaker_name,
    speaker_type,
    posted_by,
    timestamp,
    thread_id,
    parent_event_id,
    metadata,
  } = event
  return (
    <dl className={styles.facts}>
      <Fact name={details.poster}>
        {people.nameOf(posted_by)} <code>{posted_by}</code>
      </Fact>
      <Fact name={details.speaker}>
        {speaker_name} <code>{speaker_id}</code> {isClaimed(event) && <Badge tone="warn">{details.claimed}</Badge>}
      </Fact>
      <Fact name={details.kind}>{speaker_type}</Fact>
      <Fact name={details.time}>
        <Time at={timestamp} form="full" />
      </Fact>
      <Fact name={details.id}>
        <code>{event_id}</code>
      </Fact>
      {thread_id !== null && (
        <Fact name={details.thread}>
          <code>{thread_id}</code>
        </Fact>
      )}
      {parent_event_id !== null && (
        <Fact name={details.parent}>
          <code>{parent_event_id}</code>
        </Fact>
      )}
      {metadata !== null && (
        <Fact name={details.metadata}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
          <pre tabIndex={0}>{JSON.stringify(metadata, null, 2)}</pre>
        </Fact>
      )}
    </dl>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
