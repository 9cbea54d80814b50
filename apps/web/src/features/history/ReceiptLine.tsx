import type { Event } from '@collab-spaces/client'
import type { Names } from '../../shared/query/names'
import { useReceipts } from '../../shared/query/receipt'
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

/** The receipts of a message: under one that mentions an actor, and under the reader's own in a conversation. */
export function ReceiptLine({ event, names }: ReceiptLineProps) {
  const { account } = useSession()
  const isOwnDirect = isConversation(event.space_id) && event.posted_by === account.actorId
  return isOwnDirect || mentionsSomebody(event) ? <Line event={event} names={names} /> : null
}

function Line({ event: { space_id, event_id }, names }: ReceiptLineProps) {
  const { data: receipts } = useReceipts(space_id, event_id)
  if (receipts?.length === 0) return null
  const more = (receipts?.length ?? 0) - MAX_SHOWN
  return (
    // The line has its height before receipts load. Screen readers do not announce its changes.
    <ul className={styles.line} aria-label={detailsTexts.receipts} aria-live="off">
      {receipts?.slice(0, MAX_SHOWN).map((receipt) => (
        <li key={receipt.actor_id}>
          <bdi>{names.nameOf(receipt.actor_id)}</bdi>: {stateInWords(receipt)}
        </li>
      ))}
      {more > 0 && <li>{detailsTexts.moreReceipts(more)}</li>}
    </ul>
  )
}

const mentionsSomebody = ({ metadata }: Event) => Array.isArray(metadata?.mentions) && metadata.mentions.length > 0
