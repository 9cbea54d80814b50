import type { Event } from '@collab-spaces/client'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { useRetract } from '../../shared/query/event'
import { revisionTexts } from './texts'

interface RetractDialogProps {
  readonly event: Event
  readonly onClose: () => void
}

/** Asks whether to retract a message. */
export function RetractDialog({ event, onClose }: RetractDialogProps) {
  const retract = useRetract(event.space_id)
  const { retractTitle, retractText, retract: confirm, reason } = revisionTexts
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={retractTitle}
      text={retractText}
      confirm={confirm}
      request={retract}
      onConfirm={() => retract.mutate({ eventId: event.event_id, reason }, { onSuccess: onClose })}
    />
  )
}
