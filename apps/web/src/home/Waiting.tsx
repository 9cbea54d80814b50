import type { Decision } from '@collab-spaces/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { decisionPath, eventPath, HOME, spacePath, TENANT, webhookPath } from '../app/paths'
import { complain } from '../app/Toast'
import { Badge } from '../components/Badge'
import { Button, IconButton } from '../components/Button'
import { ErrorNote } from '../components/ErrorNote'
import { Icon, type IconName } from '../components/Icon'
import { List } from '../components/List'
import { Section } from '../components/PageFrame'
import { Poster, PosterAvatar } from '../components/Poster'
import { Skeleton } from '../components/Skeleton'
import { Time } from '../components/Time'
import { plainText } from '../markdown/plain'
import { type InboxItem, type Notice, useDone, useInbox } from '../query/inbox'
import { texts } from '../texts'
import styles from './Waiting.module.css'

/** Mentions, replies, decisions and notices that wait for this account. */
export function Waiting() {
  const { data: inbox, error, refetch, isPending, isEnabled } = useInbox()
  const done = useDone()
  const { waiting } = texts
  if (!isEnabled) return null
  const isEmpty = inbox && inbox.items.length + inbox.decisions.length + inbox.notices.length === 0
  const canBeDone = inbox && inbox.items.length + inbox.notices.length > 0
  return (
    <Section
      title={waiting.title}
      aside={
        canBeDone && (
          <Button
            size="small"
            icon="check"
            isBusy={done.isPending}
            onClick={() => done.mutate(inbox.done, { onError: complain })}
          >
            {waiting.allDone}
          </Button>
        )
      }
    >
      {error && !inbox && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton rows={2} />}
      {isEmpty && (
        <p className={styles.nothing}>
          <Icon name="check" /> {waiting.nothing}
        </p>
      )}
      {inbox && !isEmpty && (
        <List label={waiting.title}>
          {inbox.decisions.map((decision) => (
            <DecisionRow key={decision.decision_id} decision={decision} />
          ))}
          {inbox.notices.map((notice) => (
            <NoticeRow
              key={notice.notice_id}
              notice={notice}
              onDone={() => done.mutate({ notices: [notice.notice_id] }, { onError: complain })}
            />
          ))}
          {inbox.items.map((item) => (
            <ItemRow
              key={item.event.event_id}
              item={item}
              onDone={() =>
                done.mutate(
                  { through: [{ space_id: item.space_id, event_id: item.event.event_id }] },
                  { onError: complain },
                )
              }
            />
          ))}
          {inbox.more && <li className={styles.more}>{waiting.more(inbox.counts.unread)}</li>}
        </List>
      )}
    </Section>
  )
}

interface RowProps {
  readonly sign: ReactNode
  readonly href: string
  readonly head: ReactNode
  readonly text: string
  readonly at: string
  /** The button that takes it off the list, if one does. */
  readonly done?: { readonly label: string; readonly onClick: () => void }
}

function Row({ sign, href, head, text, at, done }: RowProps) {
  return (
    <li className={styles.row}>
      {sign}
      <Link href={href} className={styles.words}>
        <span className={styles.head}>{head}</span>
        <span className={styles.text}>{text}</span>
      </Link>
      <span className={styles.time}>
        <Time at={at} />
      </span>
      {done && <IconButton icon="check" {...done} />}
    </li>
  )
}

const Sign = ({ icon }: { readonly icon: IconName }) => (
  <span className={styles.sign}>
    <Icon name={icon} />
  </span>
)

function ItemRow({ item, onDone }: { readonly item: InboxItem; readonly onDone: () => void }) {
  const { space_id, event, kinds } = item
  const { waiting } = texts
  const [kind] = kinds
  return (
    <Row
      sign={<PosterAvatar of={event} />}
      href={eventPath(space_id, event.event_id)}
      head={
        <>
          <Poster of={event} /> {kind && waiting.kinds[kind]} <span>{waiting.inSpace(space_id)}</span>
        </>
      }
      text={plainText(event.text)}
      at={event.timestamp}
      done={{ label: waiting.done, onClick: onDone }}
    />
  )
}

function DecisionRow({ decision }: { readonly decision: Decision }) {
  const { waiting } = texts
  return (
    <Row
      sign={<Sign icon="decision" />}
      href={decisionPath(decision.space_id, decision.decision_id)}
      head={
        <>
          <Badge tone="warn">{waiting.toSettle}</Badge> <span>{waiting.inSpace(decision.space_id)}</span>
        </>
      }
      text={plainText(decision.text)}
      at={decision.created_at}
    />
  )
}

/** Where one can do something about it. */
function placeOf({ kind, space_id, details }: Notice): string {
  if (kind === 'agents_waiting') return TENANT
  const { decision_id, webhook_id } = details
  if (typeof webhook_id === 'string') return webhookPath(webhook_id)
  if (space_id === null) return HOME
  return typeof decision_id === 'string' ? decisionPath(space_id, decision_id) : spacePath(space_id)
}

function NoticeRow({ notice, onDone }: { readonly notice: Notice; readonly onDone: () => void }) {
  const { waiting } = texts
  const { kind, space_id, created_at } = notice
  return (
    <Row
      sign={<Sign icon="info" />}
      href={placeOf(notice)}
      head={space_id !== null && waiting.inSpace(space_id)}
      text={waiting.notices[kind] ?? kind}
      at={created_at}
      done={{ label: waiting.dismiss, onClick: onDone }}
    />
  )
}
