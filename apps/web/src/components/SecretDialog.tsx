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
  readonly onDone: () => void
}

/** Shows a key, a token or a code the one time that it can be seen. A stray click or Escape does not close it. */
export function SecretDialog({ secret, title, text, label, onDone }: SecretDialogProps) {
  return (
    <Dialog isOpen={secret !== null} title={title} description={text}>
      <CopyField label={label} value={secret ?? ''} />
      <DialogActions>
        <Button look="primary" onClick={onDone}>
          {texts.newKey.done}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
