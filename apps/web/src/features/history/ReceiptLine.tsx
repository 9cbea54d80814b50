import type { Event } from '@collab-spaces/client'
import type { Names } from '../../shared/query/names'
import { useReceipts } from '../../shared/query/receipt'
import { isConversation } from '../../shared/query/space-name'
import { useSession } from '../../shared/session/session'
import styles from './ReceiptLine.module.css'
import { stateInWords } from './receipt-in-words'
import { detailsTexts } from './texts'

/** More stand in the details. */
const MAX_SHOWN = 5

interface ReceiptLineProps {
  readonly event: Event
  readonly names: Names
}

/**
 * Shows where a message stands with each actor that it addresses: under one that mentions an actor, and in a conversation
 * under the reader's own.
 */
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
    // It has its height from the beginning, so that nothing moves; and a history that is read aloud does not tell of each step.
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
