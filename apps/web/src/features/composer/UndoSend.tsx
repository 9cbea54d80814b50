import { useCell } from '../../shared/cell'
import { Button } from '../../shared/components/Button'
import { useRetract } from '../../shared/query/event'
import { toastError } from '../../shared/toast'
import { restoreDraft } from './drafts'
import type { Message, Outbox } from './outbox'
import { composerTexts } from './texts'
import styles from './UndoSend.module.css'

interface UndoSendProps {
  readonly spaceId: string
  readonly outbox: Outbox
  /** Called when the text is a draft again. */
  readonly onRestored?: (message: Message) => void
}

/** Offers to retract the message that was sent last, for a while, and puts its text back. */
export function UndoSend({ spaceId, outbox, onRestored }: UndoSendProps) {
  const last = useCell(outbox.lastSent)
  const { mutateAsync: retract, isPending } = useRetract(spaceId)
  const undo = (sent: NonNullable<typeof last>) =>
    Promise.all(sent.eventIds.map((eventId) => retract({ eventId, reason: composerTexts.undoReason }))).then(() => {
      outbox.lastSent.set(null)
      if (sent.place && restoreDraft(sent.place, sent.text)) onRestored?.(sent)
    }, toastError)
  return (
    <div className={styles.place} role="status">
      {last && (
        <p className={styles.bar}>
          {composerTexts.sent}{' '}
          <Button size="small" isBusy={isPending} title={composerTexts.undoHint} onClick={() => void undo(last)}>
            {composerTexts.undo}
          </Button>
          <small>{composerTexts.undoHint}</small>
        </p>
      )}
    </div>
  )
}
