import type { Actor } from '@collab-spaces/client'
import { useState } from 'react'
import { Avatar } from '../../shared/components/Avatar'
import { Badge } from '../../shared/components/Badge'
import { IconButton } from '../../shared/components/Button'
import { ListRow } from '../../shared/components/List'
import { Menu, MenuItem, MenuSeparator } from '../../shared/components/Menu'
import { Time } from '../../shared/components/Time'
import { texts } from '../../shared/texts'
import { AgentPicture } from '../picture/AgentPicture'
import { EndAgent, RotateAgentKey } from './AgentDialogs'
import { StopButton } from './StopButton'
import { agentTexts } from './texts'

interface AgentRowProps {
  readonly agent: Actor
  /** Gets the new key of the agent. */
  readonly onKey: (key: string) => void
}

export function AgentRow({ agent, onKey }: AgentRowProps) {
  const [dialog, setDialog] = useState<'picture' | 'rotate' | 'release' | 'delete' | null>(null)
  const { actor_id, display_name, agent_profile } = agent
  const close = () => setDialog(null)
  return (
    <ListRow
      icon={<Avatar id={actor_id} name={display_name} kind="agent" />}
      title={
        <>
          {display_name} <AgentState agent={agent} />
        </>
      }
      actions={
        <>
          <StopButton agent={agent} />
          <Menu trigger={<IconButton size="small" icon="more" label={agentTexts.menu(display_name)} />}>
            <MenuItem icon="image" onSelect={() => setDialog('picture')}>
              {agentTexts.picture}
            </MenuItem>
            <MenuItem icon="refresh" onSelect={() => setDialog('rotate')}>
              {agentTexts.rotate}
            </MenuItem>
            <MenuItem icon="link" isDisabled={agent.connection === null} onSelect={() => setDialog('release')}>
              {agentTexts.release}
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon="close" isDanger onSelect={() => setDialog('delete')}>
              {agentTexts.delete}
            </MenuItem>
          </Menu>
        </>
      }
    >
      {agent_profile && <span>{agent_profile}</span>}
      <AgentFacts agent={agent} />
      {dialog === 'rotate' && (
        <RotateAgentKey
          agent={agent}
          onClose={close}
          onKey={(key) => {
            close()
            onKey(key)
          }}
        />
      )}
      {dialog === 'picture' && <AgentPicture agent={agent} onClose={close} />}
      {(dialog === 'release' || dialog === 'delete') && <EndAgent agent={agent} act={dialog} onClose={close} />}
    </ListRow>
  )
}

export function AgentState({ agent: { stopped, connection } }: { readonly agent: Actor }) {
  const words = texts.agents
  if (stopped) return <Badge tone="bad">{words.stopped}</Badge>
  return connection ? <Badge tone="good">{agentTexts.connected}</Badge> : <Badge>{agentTexts.available}</Badge>
}

/** Where an agent runs, and why it was stopped. */
export function AgentFacts({ agent: { stopped, connection } }: { readonly agent: Actor }) {
  const words = texts.agents
  return (
    <>
      {connection && (
        <span>
          {agentTexts.connectedAt(connection.installation_id, connection.agent_adapter)}{' '}
          <Time at={connection.connected_at} form="moment" />
        </span>
      )}
      {stopped && (
        <span>
          {words.stoppedSince} <Time at={stopped.stopped_at} />
          {stopped.reason && `: ${stopped.reason}`}
        </span>
      )}
    </>
  )
}
