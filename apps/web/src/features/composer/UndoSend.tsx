import { useEffect } from 'react'
import { useCell } from '../../shared/cell'
import { Button } from '../../shared/components/Button'
import { useRetract } from '../../shared/query/event'
import { toastError } from '../../shared/toast'
import type { Outbox } from './outbox'
import { composerTexts } from './texts'
import styles from './UndoSend.module.css'

/** How long the last message can be undone. */
const UNDO_MS = 10_000

/** Offers to retract the message that was sent last, for a while. */
export function UndoSend({ spaceId, outbox }: { readonly spaceId: string; readonly outbox: Outbox }) {
  const eventId = useCell(outbox.lastSent)
  const { mutateAsync: retract, isPending } = useRetract(spaceId)
  useEffect(() => {
    if (eventId === null) return
    const timer = setTimeout(() => outbox.lastSent.set(null), UNDO_MS)
    return () => clearTimeout(timer)
  }, [eventId, outbox])
  const undo = (id: string) =>
    retract({ eventId: id, reason: composerTexts.undoReason }).then(() => outbox.lastSent.set(null), toastError)
  return (
    <div className={styles.place} role="status">
      {eventId !== null && (
        <p className={styles.bar}>
          {composerTexts.sent}{' '}
          <Button size="small" isBusy={isPending} title={composerTexts.undoHint} onClick={() => void undo(eventId)}>
            {composerTexts.undo}
          </Button>
          <small>{composerTexts.undoHint}</small>
        </p>
      )}
    </div>
  )
}
