import type { Actor } from '@collab-spaces/client'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { useEndAgent } from '../../shared/query/agent'
import { useRotateKey } from '../../shared/query/credential'
import { texts } from '../../shared/texts'

interface AgentDialogProps {
  readonly agent: Actor
  readonly onClose: () => void
}

export function RotateAgentKey({ agent, onClose, onKey }: AgentDialogProps & { onKey: (key: string) => void }) {
  const rotate = useRotateKey(agent.actor_id)
  const words = texts.agents
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.rotateTitle(agent.display_name)}
      text={agent.connection ? words.rotateConnected(agent.connection.installation_id) : words.rotateText}
      confirm={words.rotateSubmit}
      asked={rotate}
      // Somebody who has read that it is connected, and goes on, means it.
      onConfirm={() => rotate.mutate({ force: true }, { onSuccess: ({ api_key }) => onKey(api_key) })}
    />
  )
}

interface EndingProps extends AgentDialogProps {
  readonly act: 'release' | 'delete'
}

/** Ends the connection of an agent, or the agent. */
export function EndAgent({ agent, act, onClose }: EndingProps) {
  const end = useEndAgent(agent.actor_id, act)
  const words = texts.agents.endings[act]
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.title(agent.display_name)}
      text={words.text}
      confirm={words.submit}
      asked={end}
      onConfirm={() => end.mutate(undefined, { onSuccess: onClose })}
    />
  )
}
