import { type ReactNode, useState } from 'react'
import { FormDialog, type RequestState } from './Dialog'
import { TextAreaField } from './Field'

interface ReasonDialogProps {
  readonly onClose: () => void
  readonly title: string
  readonly text: string
  /** The label of the field, and its hint. */
  readonly label: string
  readonly hint?: string
  readonly maxLength: number
  readonly isRequired?: boolean
  /** Whether what else is asked for can be submitted. */
  readonly isPossible?: boolean
  /** The label of the button: the action, such as "Reject". */
  readonly submit: string
  readonly look: 'primary' | 'danger'
  readonly request: RequestState
  /** Called with the trimmed reason, which may be empty unless it is required. */
  readonly onSubmit: (reason: string) => void
  /** Further fields. */
  readonly children?: ReactNode
}

/** Asks for the reason of an action, which is recorded with it. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { onClose, title, text, label, hint, maxLength, isRequired = false, isPossible = true } = props
  const { submit, look, request, onSubmit, children } = props
  const [words, setWords] = useState('')
  const reason = words.trim()
  return (
    <FormDialog
      title={title}
      description={text}
      request={request}
      submit={submit}
      look={look}
      isPossible={isPossible && (!isRequired || reason !== '')}
      onClose={onClose}
      onSubmit={() => onSubmit(reason)}
    >
      <TextAreaField
        label={label}
        hint={hint}
        value={words}
        onChange={setWords}
        maxLength={maxLength}
        required={isRequired}
      />
      {children}
    </FormDialog>
  )
}
