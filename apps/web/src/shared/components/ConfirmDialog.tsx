import type { ReactNode } from 'react'
import { texts } from '../texts'
import { Button } from './Button'
import { Dialog, DialogActions, type RequestState } from './Dialog'
import { ErrorNote } from './ErrorNote'

interface ConfirmDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly text: ReactNode
  /** The label of the button: the action, such as "Archive". */
  readonly confirm: string
  readonly request: RequestState
  readonly onConfirm: () => void
  /** Further content above the buttons. */
  readonly children?: ReactNode
}

/** Confirms an irreversible action. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, text, confirm, request, onConfirm, children } = props
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} description={text}>
      {children}
      {request.error !== null && <ErrorNote error={request.error} />}
      <DialogActions>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button look="danger" isBusy={request.isPending} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
