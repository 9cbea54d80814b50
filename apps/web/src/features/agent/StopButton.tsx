import type { Actor } from '@collab-spaces/client'
import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { useStartAgent } from '../../shared/query/agent'
import { toastError } from '../../shared/toast'
import { StopDialog } from './StopDialog'
import { agentTexts } from './texts'

interface StopButtonProps {
  readonly agent: Pick<Actor, 'actor_id' | 'display_name'> & { readonly stopped: object | null }
}

/** Stops an agent, and starts it again. */
export function StopButton({ agent }: StopButtonProps) {
  const { actor_id, display_name: name, stopped } = agent
  const [isStopping, setIsStopping] = useState(false)
  const start = useStartAgent(actor_id)
  return (
    <>
      {stopped === null ? (
        <Button size="small" icon="pause" aria-label={agentTexts.stopNamed(name)} onClick={() => setIsStopping(true)}>
          {agentTexts.stop}
        </Button>
      ) : (
        <Button
          size="small"
          icon="play"
          isBusy={start.isPending}
          aria-label={agentTexts.startNamed(name)}
          onClick={() => start.mutate(undefined, { onError: toastError })}
        >
          {agentTexts.start}
        </Button>
      )}
      {isStopping && <StopDialog agent={agent} onClose={() => setIsStopping(false)} />}
    </>
  )
}
