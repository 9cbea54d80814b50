import type { Actor } from '@collab-spaces/client'
import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { useStartAgent } from '../../shared/query/agent'
import { texts } from '../../shared/texts'
import { complain } from '../../shared/toast'
import { StopDialog } from './StopDialog'

interface StopButtonProps {
  readonly agent: Pick<Actor, 'actor_id' | 'display_name'> & { readonly stopped: object | null }
}

/** Stops an agent, and starts it again. */
export function StopButton({ agent }: StopButtonProps) {
  const { actor_id, display_name: name, stopped } = agent
  const [isStopping, setIsStopping] = useState(false)
  const start = useStartAgent(actor_id)
  const words = texts.agents
  return (
    <>
      {stopped === null ? (
        <Button size="small" icon="pause" aria-label={words.stopNamed(name)} onClick={() => setIsStopping(true)}>
          {words.stop}
        </Button>
      ) : (
        <Button
          size="small"
          icon="play"
          isBusy={start.isPending}
          aria-label={words.startNamed(name)}
          onClick={() => start.mutate(undefined, { onError: complain })}
        >
          {words.start}
        </Button>
      )}
      {isStopping && <StopDialog agent={agent} onClose={() => setIsStopping(false)} />}
    </>
  )
}
