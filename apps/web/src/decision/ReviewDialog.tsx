import type { Decision } from '@collab-spaces/client'
import { type FormEvent, useState } from 'react'
import { Button } from '../components/Button'
import { Dialog, DialogActions } from '../components/Dialog'
import { ErrorNote } from '../components/ErrorNote'
import { TextAreaField } from '../components/Field'
import { useReview } from '../query/decision'
import { texts } from '../texts'

export type Verdict = 'approve' | 'reject'

interface ReviewDialogProps {
  readonly spaceId: string
  readonly decision: Decision
  readonly verdict: Verdict
  readonly onClose: () => void
}

/** Approves a proposal, or takes that back, with a note for the others. */
export function ReviewDialog({ spaceId, decision, verdict, onClose }: ReviewDialogProps) {
  const [note, setNote] = useState('')
  const review = useReview(spaceId, decision.decision_id)
  const words = texts.review[verdict]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    review.mutate({ verdict, note: note.trim() || undefined }, { onSuccess: onClose })
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.text}>
      <form onSubmit={submit}>
        <TextAreaField label={texts.review.note} value={note} onChange={setNote} maxLength={2_000} />
        {review.isError && <ErrorNote error={review.error} />}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="primary" type="submit" isBusy={review.isPending}>
            {words.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
