import type { Actor } from '@collab-spaces/client'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { useEndAgent } from '../../shared/query/agent'
import { useRotateKey } from '../../shared/query/credential'
import { agentTexts } from './texts'

interface AgentDialogProps {
  readonly agent: Actor
  readonly onClose: () => void
}

export function RotateAgentKey({ agent, onClose, onKey }: AgentDialogProps & { onKey: (key: string) => void }) {
  const rotate = useRotateKey(agent.actor_id)
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={agentTexts.rotateTitle(agent.display_name)}
      text={agent.connection ? agentTexts.rotateConnected(agent.connection.installation_id) : agentTexts.rotateText}
      confirm={agentTexts.rotateSubmit}
      request={rotate}
      // The dialog has warned that the agent is connected.
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
  const words = agentTexts.endings[act]
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.title(agent.display_name)}
      text={words.text}
      confirm={words.submit}
      request={end}
      onConfirm={() => end.mutate(undefined, { onSuccess: onClose })}
    />
  )
}
