import { type ComponentType, type ReactNode, useState } from 'react'
import { texts } from '../texts'
import { Button } from './Button'
import { CopyField } from './CopyField'
import { Dialog, DialogActions } from './Dialog'

interface SecretDialogProps {
  /** Null while the dialog is closed. */
  readonly secret: string | null
  readonly title: string
  readonly text: string
  readonly label: string
  /** The label of the button that closes it. */
  readonly done?: string
  /** Other forms of the secret. */
  readonly children?: ReactNode
  readonly onDone: () => void
}

/** Shows a key, token or code once. Neither Escape nor a click outside closes it. */
export function SecretDialog(props: SecretDialogProps) {
  const { secret, title, text, label, done = texts.savedIt, children, onDone } = props
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

/** Props of a dialog that creates an object with a secret. */
export interface CreateDialogProps {
  readonly onClose: () => void
  readonly onMade: (secret: string) => void
}

interface MadeSecretProps extends Pick<CreateDialogProps, 'onClose'> {
  readonly isOpen: boolean
  readonly dialog: ComponentType<CreateDialogProps>
  readonly words: Pick<SecretDialogProps, 'title' | 'text' | 'label'>
}

/** Shows the dialog, and then the secret of the created object. */
export function CreateWithSecret({ isOpen, onClose, dialog: Maker, words }: MadeSecretProps) {
  const [secret, setSecret] = useState<string | null>(null)
  const onMade = (made: string) => {
    onClose()
    setSecret(made)
  }
  return (
    <>
      {isOpen && <Maker onClose={onClose} onMade={onMade} />}
      <SecretDialog secret={secret} {...words} onDone={() => setSecret(null)} />
    </>
  )
}
