import type { Member } from '@collab-spaces/client'
import { useState } from 'react'
import { ActorName } from '../../shared/components/ActorName'
import { Avatar } from '../../shared/components/Avatar'
import { Badge } from '../../shared/components/Badge'
import { Button } from '../../shared/components/Button'
import { SelectField, TextField } from '../../shared/components/Field'
import { hasWords } from '../../shared/components/filter'
import { List, ListRow } from '../../shared/components/List'
import { Loaded } from '../../shared/components/Loaded'
import { Section } from '../../shared/components/PageFrame'
import { Time } from '../../shared/components/Time'
import { useMembers } from '../../shared/query/tenant'
import { texts } from '../../shared/texts'
import { MemberCredentials } from '../tenant/MemberCredentials'
import { memberCredentialsTexts, memberTexts } from '../tenant/texts'
import { StopButton } from './StopButton'
import styles from './TenantAgents.module.css'
import { tenantAgentsTexts } from './texts'

type State = 'all' | 'running' | 'stopped'

/** The number of agents shown at first, and added by each click. */
const PAGE_SIZE = 50

/** Every agent of the tenant, with any sponsor, for admins. */
export function TenantAgents() {
  const query = useMembers()
  const [typed, setTyped] = useState('')
  const [state, setState] = useState<State>('all')
  const [limit, setLimit] = useState(PAGE_SIZE)
  const words = tenantAgentsTexts
  return (
    <Section title={words.title}>
      <p className={styles.lead}>{words.lead}</p>
      <div className={styles.filter}>
        <TextField
          type="search"
          label={texts.filter}
          placeholder={texts.members.name}
          value={typed}
          onChange={setTyped}
        />
        <SelectField label={words.show} value={state} options={words.states} onChange={setState} />
      </div>
      <Loaded query={query} rows={3}>
        {(members) => {
          const names = new Map(members.map(({ actor_id, display_name }) => [actor_id, display_name]))
          const sponsorOf = ({ sponsor_id }: Member) => names.get(sponsor_id ?? '') ?? null
          const agents = members.filter(({ actor_type }) => actor_type === 'agent')
          const shown = agents.filter(
            (agent) => isIn(agent, state) && hasWords(`${agent.display_name} ${sponsorOf(agent) ?? ''}`, typed),
          )
          if (shown.length === 0) return <p>{agents.length === 0 ? words.none : texts.nothingFound}</p>
          return (
            <>
              <List label={words.title}>
                {shown.slice(0, limit).map((agent) => (
                  <Row key={agent.actor_id} agent={agent} sponsor={sponsorOf(agent)} />
                ))}
              </List>
              {shown.length > limit && (
                <Button size="small" look="plain" onClick={() => setLimit(limit + PAGE_SIZE)}>
                  {words.more(shown.length - limit)}
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

const isIn = ({ stopped }: Member, state: State) => state === 'all' || (state === 'stopped') === (stopped !== null)

function Row({ agent, sponsor }: { readonly agent: Member; readonly sponsor: string | null }) {
  const [isOpen, setIsOpen] = useState(false)
  const { actor_id, display_name: name, stopped, disabled, created_at } = agent
  const agents = texts.agents
  const members = texts.members
  return (
    <ListRow
      icon={<Avatar id={actor_id} name={name} kind="agent" isStopped={stopped !== null} />}
      title={
        <>
          <ActorName id={actor_id} name={name} />
          {stopped && <Badge tone="bad">{agents.stopped}</Badge>}
          {disabled && <Badge tone="bad">{members.disabled}</Badge>}
        </>
      }
      actions={
        <>
          <StopButton agent={agent} />
          <Button
            size="small"
            icon="key"
            aria-label={memberCredentialsTexts.title(name)}
            onClick={() => setIsOpen(true)}
          >
            {tenantAgentsTexts.credentials}
          </Button>
        </>
      }
    >
      {sponsor !== null && <span>{texts.people.agentOf(sponsor)}</span>}
      {stopped ? (
        <span>
          {agents.stoppedSince} <Time at={stopped.stopped_at} />
          {stopped.reason && `: ${stopped.reason}`}
        </span>
      ) : (
        <span>
          {memberTexts.since} <Time at={created_at} form="date" />
        </span>
      )}
      {isOpen && <MemberCredentials actorId={actor_id} name={name} onClose={() => setIsOpen(false)} />}
    </ListRow>
  )
}
