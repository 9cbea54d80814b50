import { type Decision, LIMITS } from '@collab-spaces/client'
import { ReasonDialog } from '../../shared/components/ReasonDialog'
import { useReview, useSettle } from '../../shared/query/decision'
import { decisionTexts, reviewTexts, settleTexts } from './texts'

interface DecisionDialogProps {
  readonly decision: Decision
  readonly onClose: () => void
}

export type Verdict = 'approve' | 'reject'

interface ReviewDialogProps extends DecisionDialogProps {
  readonly verdict: Verdict
}

/** Approves a proposal or withdraws the approval, with a note. */
export function ReviewDialog({ decision, verdict, onClose }: ReviewDialogProps) {
  const review = useReview(decision)
  return (
    <ReasonDialog
      {...reviewTexts[verdict]}
      label={reviewTexts.note}
      maxLength={LIMITS.reviewNote}
      look="primary"
      request={review}
      onClose={onClose}
      onSubmit={(note) => review.mutate({ verdict, note: note || undefined }, { onSuccess: onClose })}
    />
  )
}

export type SettledStatus = Exclude<Decision['status'], 'proposed'>

interface SettleDialogProps extends DecisionDialogProps {
  readonly outcome: SettledStatus
}

/** Resolves or rejects a proposal for good, with a reason. */
export function SettleDialog({ decision, outcome, onClose }: SettleDialogProps) {
  const settle = useSettle(decision)
  return (
    <ReasonDialog
      {...settleTexts[outcome]}
      label={decisionTexts.reason}
      hint={settleTexts.reasonHint}
      maxLength={LIMITS.resolution}
      isRequired
      look={outcome === 'rejected' ? 'danger' : 'primary'}
      request={settle}
      onClose={onClose}
      onSubmit={(resolution) => settle.mutate({ status: outcome, resolution }, { onSuccess: onClose })}
    />
  )
}
