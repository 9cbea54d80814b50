import type { ReactNode } from 'react'
import { texts } from '../texts'
import { Button } from './Button'
import { Dialog, DialogActions } from './Dialog'
import { ErrorNote } from './ErrorNote'

interface ConfirmDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly text: ReactNode
  /** The words on the button: the act itself, such as "Archive". */
  readonly confirm: string
  readonly isBusy: boolean
  /** Null while nothing has failed. */
  readonly error: unknown
  readonly onConfirm: () => void
}

/** Asks before what cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, text, confirm, isBusy, error, onConfirm } = props
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} description={text}>
      {error !== null && <ErrorNote error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button look="danger" isBusy={isBusy} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
