import { useState } from 'react'
import { Dialog, DialogForm } from '../components/Dialog'
import { TextField } from '../components/Field'
import { explainShort } from '../query/explain'
import { texts } from '../texts'

interface GoToDateProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onTime: (time: string) => Promise<boolean>
}

/** To the first event of a day, where the reader is. */
export function GoToDate({ isOpen, onClose, onTime }: GoToDateProps) {
  const [date, setDate] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const words = texts.goToDate

  const submit = async () => {
    setIsBusy(true)
    try {
      const isFound = await onTime(new Date(`${date}T00:00`).toISOString())
      setError(isFound ? null : words.nothing)
      if (isFound) onClose()
    } catch (failure) {
      setError(explainShort(failure))
    }
    setIsBusy(false)
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={words.title}>
      <DialogForm asked={{ isPending: isBusy, error: null }} submit={words.submit} onClose={onClose} onSubmit={submit}>
        <TextField label={words.date} type="date" value={date} onChange={setDate} error={error} required />
      </DialogForm>
    </Dialog>
  )
}
