import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { TextField } from '../../shared/components/Field'
import { explainShort } from '../../shared/explain'
import { useChange } from '../../shared/query/call'
import { goToDateTexts } from './texts'

interface GoToDateProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onTime: (time: string) => Promise<boolean>
}

/** Jumps to the first event of a day in the reader's time zone. */
export function GoToDate({ isOpen, onClose, onTime }: GoToDateProps) {
  const [date, setDate] = useState('')
  const go = useChange(
    (_client, time: string) => onTime(time),
    (_cache, isFound) => isFound && onClose(),
  )
  const words = goToDateTexts
  const error = go.data === false ? words.nothing : go.error && explainShort(go.error)
  return (
    <FormDialog
      isOpen={isOpen}
      title={words.title}
      request={{ ...go, error: null }}
      submit={words.submit}
      onClose={onClose}
      onSubmit={() => go.mutate(new Date(`${date}T00:00`).toISOString())}
    >
      <TextField label={words.date} type="date" value={date} onChange={setDate} error={error} required />
    </FormDialog>
  )
}
