import type { Actor } from '@collab-spaces/client'
import { ConfirmDialog } from '../components/ConfirmDialog'
import { useDeleteAgent, useReleaseAgent } from '../query/agent'
import { useRotateKey } from '../query/credential'
import { texts } from '../texts'

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

export function ReleaseAgent({ agent, onClose }: AgentDialogProps) {
  const release = useReleaseAgent(agent.actor_id)
  const words = texts.agents
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.releaseTitle(agent.display_name)}
      text={words.releaseText}
      confirm={words.releaseSubmit}
      asked={release}
      onConfirm={() => release.mutate(undefined, { onSuccess: onClose })}
    />
  )
}

export function DeleteAgent({ agent, onClose }: AgentDialogProps) {
  const remove = useDeleteAgent(agent.actor_id)
  const words = texts.agents
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.deleteTitle(agent.display_name)}
      text={words.deleteText}
      confirm={words.deleteSubmit}
      asked={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
    />
  )
}
