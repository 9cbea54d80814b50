import { type Decision, LIMITS } from '@collab-spaces/client'
import { useState } from 'react'
import { TextAreaField } from '../../shared/components/Field'
import { ReasonDialog } from '../../shared/components/ReasonDialog'
import { useReview, useSettle } from '../../shared/query/decision'
import { argumentsIn } from './argument-rows'
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

/** How a proposal is settled: with the chosen option, if it has options. */
export interface Outcome {
  readonly status: Exclude<Decision['status'], 'proposed'>
  readonly option?: NonNullable<Decision['options']>[number]
}

interface SettleDialogProps extends DecisionDialogProps {
  readonly outcome: Outcome
}

/** Resolves or rejects a proposal for good, with a reason, and the edited arguments of an editable action. */
export function SettleDialog({ decision, outcome: { status, option }, onClose }: SettleDialogProps) {
  const settle = useSettle(decision)
  const words = settleTexts
  const { action } = decision
  const isEditable = status === 'resolved' && !option?.denies && action?.editable === true
  const proposed = JSON.stringify(action?.arguments, null, 2)
  const [edited, setEdited] = useState(proposed)
  const changed = isEditable && edited !== proposed ? argumentsIn(edited) : undefined
  return (
    <ReasonDialog
      {...words[status]}
      {...(option && { title: words.choose(option.label), submit: option.label })}
      label={decisionTexts.reason}
      hint={words.reasonHint}
      maxLength={LIMITS.resolution}
      isRequired
      isPossible={changed !== null}
      look={status === 'rejected' ? 'danger' : 'primary'}
      request={settle}
      onClose={onClose}
      onSubmit={(resolution) =>
        settle.mutate(
          { status, resolution, option: option?.id, arguments: changed ?? undefined },
          { onSuccess: onClose },
        )
      }
    >
      {isEditable && (
        <TextAreaField
          label={words.arguments}
          hint={words.argumentsHint}
          error={changed === null ? words.argumentsProblem : null}
          value={edited}
          onChange={setEdited}
          maxLength={LIMITS.freeJsonBytes}
        />
      )}
    </ReasonDialog>
  )
}
