import { type Decision, LIMITS } from '@collab-spaces/client'
import { ReasonDialog } from '../components/ReasonDialog'
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
  const settle = useSettle(spaceId, decision.decision_id)
  return (
    <ReasonDialog
      {...texts.settle[outcome]}
      label={texts.settle.reason}
      hint={texts.settle.reasonHint}
      maxLength={LIMITS.resolution}
      isRequired
      look={outcome === 'rejected' ? 'danger' : 'primary'}
      asked={settle}
      onClose={onClose}
      onSubmit={(resolution) => settle.mutate({ status: outcome, resolution }, { onSuccess: onClose })}
    />
  )
}
