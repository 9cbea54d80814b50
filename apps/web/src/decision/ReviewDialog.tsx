import { type Decision, LIMITS } from '@collab-spaces/client'
import { ReasonDialog } from '../components/ReasonDialog'
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
  const review = useReview(spaceId, decision.decision_id)
  return (
    <ReasonDialog
      {...texts.review[verdict]}
      label={texts.review.note}
      maxLength={LIMITS.reviewNote}
      look="primary"
      asked={review}
      onClose={onClose}
      onSubmit={(note) => review.mutate({ verdict, note: note || undefined }, { onSuccess: onClose })}
    />
  )
}
