import { Dialog as Base } from '@base-ui/react/dialog'
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { texts } from '../texts'
import { Button, IconButton } from './Button'
import { classes } from './classes'
import { isComposing } from './composing'
import styles from './Dialog.module.css'
import { ErrorNote } from './ErrorNote'

/** The state of a request that a dialog made: a part of a mutation. */
export interface RequestState {
  readonly isPending: boolean
  /** Null until a request fails. */
  readonly error: unknown
}

interface DialogProps {
  readonly isOpen: boolean
  /** Without it, the user cannot dismiss the dialog. */
  readonly onClose?: (() => void) | undefined
  readonly title: string
  readonly description?: ReactNode
  /** Whether it takes the space that there is, such as for a picture. */
  readonly isLarge?: boolean | undefined
  readonly children: ReactNode
}

const FIELDS = 'input:not([type="file"]), textarea, select'

/** A modal dialog. */
export function Dialog({ isOpen, onClose, title, description, isLarge, children }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  // Focuses the first field, except on touch screens, where that would open the keyboard. Fields of files are hidden.
  const firstField = (opened: string) =>
    opened === 'touch' || (popup.current?.querySelector<HTMLElement>(FIELDS) ?? true)
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || onClose?.()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          ref={popup}
          className={classes(styles.popup, isLarge && styles.large)}
          initialFocus={firstField}
          onKeyDown={submitAtCtrlEnter}
        >
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {onClose && <Base.Close render={<IconButton icon="close" label={texts.close} size="small" />} />}
          </header>
          {description && <Base.Description className={styles.description}>{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Submits the form on Ctrl+Enter in a text area, where Enter starts a line. */
function submitAtCtrlEnter(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey } = event
  if (key !== 'Enter' || !(ctrlKey || metaKey) || isComposing(event) || !(target instanceof HTMLTextAreaElement)) return
  event.preventDefault()
  target.form?.querySelector<HTMLButtonElement>('button[type=submit]:enabled')?.click()
}

interface FormDialogProps extends Omit<DialogProps, 'isOpen'> {
  readonly isOpen?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly request: RequestState
  /** The label of the button: the action, such as "Propose". */
  readonly submit?: string
  readonly look?: 'primary' | 'danger'
  /** Whether the form can be submitted. */
  readonly isPossible?: boolean
}

/** A dialog with a form, its error and buttons. */
export function FormDialog(props: FormDialogProps) {
  const { isOpen = true, onSubmit, request, submit = texts.save, look = 'primary', isPossible = true, ...rest } = props
  const onEnter = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog isOpen={isOpen} {...rest}>
      <form className={styles.form} onSubmit={onEnter}>
        {rest.children}
        {request.error !== null && <ErrorNote error={request.error} />}
        <DialogActions>
          <Button onClick={rest.onClose}>{texts.cancel}</Button>
          <Button look={look} type="submit" isBusy={request.isPending} disabled={!isPossible}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The buttons of a dialog, the confirming one last. They stay visible while the content scrolls. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
