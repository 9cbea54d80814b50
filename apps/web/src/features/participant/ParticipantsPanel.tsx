import type { Actor, Participant } from '@collab-spaces/client'
import { type ReactNode, useState } from 'react'
import { ActorName } from '../../shared/components/ActorName'
import { Avatar } from '../../shared/components/Avatar'
import { Badge } from '../../shared/components/Badge'
import { EmptyState } from '../../shared/components/EmptyState'
import { TextField } from '../../shared/components/Field'
import { hasWords } from '../../shared/components/filter'
import list from '../../shared/components/List.module.css'
import { Panel, type PanelProps } from '../../shared/components/Panel'
import { Presence } from '../../shared/components/Presence'
import { Skeleton } from '../../shared/components/Skeleton'
import { Time } from '../../shared/components/Time'
import { useMyAgents } from '../../shared/query/agent'
import { type Names, useNames } from '../../shared/query/names'
import { useCanManageSpace, useMemberRights } from '../../shared/query/permission'
import { useSpace } from '../../shared/query/space'
import { useAwaitsMembers } from '../../shared/query/tenant'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { AgentFacts, AgentState } from '../agent/AgentRow'
import { AddParticipant } from './AddParticipant'
import { KeyClaims } from './KeyClaims'
import { ParticipantActions } from './ParticipantActions'
import styles from './ParticipantsPanel.module.css'
import { participantsTexts } from './texts'

/** Longer lists have a filter. */
const MAX_UNFILTERED = 12

/** The participants of a space: humans, and agents with their sponsors. */
export function ParticipantsPanel({ spaceId, onClose }: PanelProps) {
  const { data: space } = useSpace(spaceId)
  const { data: agents, isLoading: awaitsAgents } = useMyAgents()
  const awaitsMembers = useAwaitsMembers()
  const names = useNames(spaceId)
  const canManage = useCanManageSpace(space)
  const { canAddParticipants } = useMemberRights()
  const words = participantsTexts
  const [typed, setTyped] = useState('')
  const all = space?.participants ?? []
  const participants = all.filter(({ name }) => hasWords(name, typed))
  const groups = [
    { title: words.humans, members: participants.filter(({ participant_type }) => participant_type === 'human') },
    { title: texts.agents.title, members: participants.filter(({ participant_type }) => participant_type === 'agent') },
  ].filter(({ members }) => members.length > 0)
  return (
    <Panel title={participantsTexts.title} subtitle={space && texts.counts.participants(all.length)} onClose={onClose}>
      {!space || awaitsAgents || awaitsMembers ? (
        // The skeleton stays until permissions and agents have loaded, so that no row shifts.
        <Skeleton rows={4} />
      ) : all.length === 0 ? (
        <EmptyState icon="people" title={words.emptyTitle}>
          {words.emptyText}
        </EmptyState>
      ) : (
        <div className={styles.groups}>
          {canManage && canAddParticipants && <AddParticipant space={space} />}
          {all.length > MAX_UNFILTERED && (
            <TextField
              type="search"
              label={texts.filter}
              placeholder={texts.members.name}
              value={typed}
              onChange={setTyped}
            />
          )}
          {groups.length === 0 && <p className={styles.nothing}>{texts.nothingFound}</p>}
          {groups.map(({ title, members }) => (
            <section key={title} className={styles.group}>
              <h3>{title}</h3>
              <ul>
                {members.map((member) => (
                  <Row
                    key={member.participant_id}
                    participant={member}
                    agent={agents?.find(({ actor_id }) => actor_id === member.actor_id)}
                    names={names}
                    isOwner={space.owners.includes(member.actor_id)}
                    actions={<ParticipantActions spaceId={spaceId} participant={member} canRemove={canManage} />}
                  />
                ))}
              </ul>
            </section>
          ))}
          <KeyClaims spaceId={spaceId} />
        </div>
      )}
    </Panel>
  )
}

interface RowProps {
  readonly participant: Participant
  /** The sponsor's view of the agent, if it is one of this account. */
  readonly agent: Actor | undefined
  readonly names: Names
  readonly isOwner: boolean
  readonly actions: ReactNode
}

function Row({ participant, agent, names, isOwner, actions }: RowProps) {
  const { account } = useSession()
  const { name, participant_type, agent_adapter, joined_at, actor_id, is_stopped, is_present } = participant
  const words = participantsTexts
  const sponsorId = names.find(actor_id)?.sponsorId ?? null
  return (
    <li className={styles.row}>
      <Avatar id={actor_id} name={name} kind={participant_type} isStopped={is_stopped} isPresent={is_present} />
      <div>
        <p className={list.title}>
          <ActorName id={actor_id} name={name} />
          <Presence of={[participant]} />
          {actor_id === account.actorId && <Badge tone="accent">{texts.members.you}</Badge>}
          {isOwner && <Badge>{words.owner}</Badge>}
          {agent ? <AgentState agent={agent} /> : is_stopped && <Badge tone="bad">{texts.agents.stopped}</Badge>}
        </p>
        <div className={styles.facts}>
          {sponsorId !== null && <span>{agent ? words.yours : texts.people.agentOf(names.nameOf(sponsorId))}</span>}
          {agent_adapter !== null && !agent?.connection && <span>{words.adapter(agent_adapter)}</span>}
          {agent && <AgentFacts agent={agent} />}
          <span>
            {words.joined} <Time at={joined_at} />
          </span>
        </div>
      </div>
      {actions}
    </li>
  )
}
