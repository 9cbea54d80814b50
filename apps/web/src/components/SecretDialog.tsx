import type { ReactNode } from 'react'
import { texts } from '../texts'
import { Button } from './Button'
import { CopyField } from './CopyField'
import { Dialog, DialogActions } from './Dialog'

interface SecretDialogProps {
  /** Null while there is none. */
  readonly secret: string | null
  readonly title: string
  readonly text: string
  readonly label: string
  /** The words on the button that closes it. */
  readonly done?: string
  /** Other forms of it. */
  readonly children?: ReactNode
  readonly onDone: () => void
}

/** Shows a key, a token or a code the one time that it can be seen. A stray click or Escape does not close it. */
export function SecretDialog(props: SecretDialogProps) {
  const { secret, title, text, label, done = texts.newKey.done, children, onDone } = props
  return (
    <Dialog isOpen={secret !== null} title={title} description={text}>
      <CopyField label={label} value={secret ?? ''} />
      {children}
      <DialogActions>
        <Button look="primary" onClick={onDone}>
          {done}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
