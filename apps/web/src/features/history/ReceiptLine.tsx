import type { Event } from '@collab-spaces/client'
import { mentionIdsOf } from '../../shared/markdown/excerpt'
import { kindOfId, type Names } from '../../shared/query/names'
import { hasNews, useReceipts } from '../../shared/query/receipt'
import { isConversation } from '../../shared/query/space-name'
import { useSession } from '../../shared/session/session'
import styles from './ReceiptLine.module.css'
import { stateInWords } from './receipt-in-words'
import { detailsTexts } from './texts'

/** The details show the rest. */
const MAX_SHOWN = 5

interface ReceiptLineProps {
  readonly event: Event
  readonly names: Names
}

/**
 * The receipts of a message: under one that mentions an actor, and under the reader's own in a conversation. Those of
 * people are only under the reader's own.
 */
export function ReceiptLine({ event, names }: ReceiptLineProps) {
  const { account } = useSession()
  const isOwn = event.posted_by === account.actorId
  const isShown = mentionIdsOf(event).some((actorId) => isOwn || kindOfId(actorId) === 'agent')
  return isShown || (isOwn && isConversation(event.space_id)) ? <Line event={event} names={names} /> : null
}

function Line({ event: { space_id, event_id }, names }: ReceiptLineProps) {
  const { data } = useReceipts(space_id, event_id)
  if (data?.length === 0) return null
  const receipts = data?.filter(hasNews) ?? []
  // The line has its height before there is a state to show.
  if (receipts.length === 0) return <div className={styles.line} />
  const more = receipts.length - MAX_SHOWN
  return (
    // Screen readers do not announce its changes.
    <ul className={styles.line} aria-label={detailsTexts.receipts} aria-live="off">
      {receipts.slice(0, MAX_SHOWN).map((receipt) => (
        <li key={receipt.actor_id}>
          <bdi>{names.nameOf(receipt.actor_id)}</bdi>: {stateInWords(receipt)}
        </li>
      ))}
      {more > 0 && <li>{detailsTexts.moreReceipts(more)}</li>}
    </ul>
  )
}
