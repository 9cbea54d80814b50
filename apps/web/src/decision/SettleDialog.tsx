import type { Decision } from '@collab-spaces/client'
import { type FormEvent, useState } from 'react'
import { Button } from '../components/Button'
import { Dialog, DialogActions } from '../components/Dialog'
import { ErrorNote } from '../components/ErrorNote'
import { TextAreaField } from '../components/Field'
import { useSettle } from '../query/decision'
import { texts } from '../texts'

export type SettledStatus = Exclude<Decision['status'], 'proposed'>

interface SettleDialogProps {
  readonly spaceId: string
  readonly decision: Decision
  readonly outcome: SettledStatus
  readonly onClose: () => void
}

/** Resolves or rejects a proposal, with the reason. That happens once. */
export function SettleDialog({ spaceId, decision, outcome, onClose }: SettleDialogProps) {
  const [reason, setReason] = useState('')
  const settle = useSettle(spaceId, decision.decision_id)
  const words = texts.settle[outcome]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    settle.mutate({ status: outcome, resolution: reason.trim() }, { onSuccess: onClose })
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.text}>
      <form onSubmit={submit}>
        <TextAreaField
          label={texts.settle.reason}
          hint={texts.settle.reasonHint}
          value={reason}
          onChange={setReason}
          maxLength={10_000}
          required
        />
        {settle.isError && <ErrorNote error={settle.error} />}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            look={outcome === 'rejected' ? 'danger' : 'primary'}
            type="submit"
            isBusy={settle.isPending}
            disabled={reason.trim() === ''}
          >
            {words.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
