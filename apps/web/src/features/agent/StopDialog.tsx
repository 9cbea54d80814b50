import { type Actor, LIMITS } from '@collab-spaces/client'
import { ReasonDialog } from '../../shared/components/ReasonDialog'
import { useStop } from '../../shared/query/agent'
import { stopAgentsTexts } from './texts'

interface StopDialogProps {
  /** Null for all agents of this account. */
  readonly agent: Pick<Actor, 'actor_id' | 'display_name'> | null
  readonly onClose: () => void
}

/** Stops one agent, or all. Programs that use the agent's key receive the reason. */
export function StopDialog({ agent, onClose }: StopDialogProps) {
  const stop = useStop(agent?.actor_id ?? null)
  const words = stopAgentsTexts
  return (
    <ReasonDialog
      title={agent ? words.title(agent.display_name) : words.titleAll}
      text={agent ? words.text : words.textAll}
      label={words.reason}
      hint={words.reasonHint}
      maxLength={LIMITS.stopReason}
      submit={agent ? words.submit : words.submitAll}
      look="danger"
      request={stop}
      onClose={onClose}
      onSubmit={(reason) => stop.mutate(reason || undefined, { onSuccess: onClose })}
    />
  )
}
