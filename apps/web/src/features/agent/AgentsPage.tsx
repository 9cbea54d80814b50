import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { CopyField } from '../../shared/components/CopyField'
import { EmptyState } from '../../shared/components/EmptyState'
import { Icon } from '../../shared/components/Icon'
import { List } from '../../shared/components/List'
import { Loaded } from '../../shared/components/Loaded'
import { PageFrame, Section } from '../../shared/components/PageFrame'
import { SecretDialog } from '../../shared/components/SecretDialog'
import { Skeleton } from '../../shared/components/Skeleton'
import { useDialogParam } from '../../shared/navigation/dialog-param'
import { useTitle } from '../../shared/navigation/title'
import { useMyAgents } from '../../shared/query/agent'
import { isOpenCode, useAgentCodes, useIsRedeemed } from '../../shared/query/agent-code'
import { useMemberRights } from '../../shared/query/permission'
import { useAwaitsMembers, useIsAdmin } from '../../shared/query/tenant'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { Webhooks } from '../webhook/Webhooks'
import { AgentCodes } from './AgentCodes'
import { AgentRow } from './AgentRow'
import styles from './AgentsPage.module.css'
import { type Admission, InviteAgent } from './InviteAgent'
import { curlLine, joinLine } from './join-line'
import { StopDialog } from './StopDialog'
import { TenantAgents } from './TenantAgents'
import { agentCodesTexts, agentTexts } from './texts'

/** The agents that this account sponsors. */
export function AgentsPage() {
  const { account } = useSession()
  const words = texts.agents
  useTitle(words.title)
  if (account.kind === 'human') return <MyAgents />
  return (
    <PageFrame title={words.title}>
      <EmptyState icon="agent" title={agentTexts.noHumanTitle}>
        {agentTexts.noHumanText}
      </EmptyState>
      <Webhooks reach="own" />
    </PageFrame>
  )
}

function MyAgents() {
  const query = useMyAgents()
  const { data: agents } = query
  const [isAdding, setIsAdding] = useDialogParam('new')
  const [isStopping, setIsStopping] = useState(false)
  const [admission, setAdmission] = useState<Admission | null>(null)
  const isAdmin = useIsAdmin()
  const awaitsMembers = useAwaitsMembers()
  const words = texts.agents
  const isAwaited = useAgentCodes().data?.some(isOpenCode) ?? false
  const isRunning = agents?.some(({ stopped }) => stopped === null) ?? false
  const { canAddAgents } = useMemberRights()
  const add = canAddAgents && (
    <Button look="primary" icon="plus" onClick={() => setIsAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <PageFrame title={words.title} lead={agentTexts.lead} actions={add}>
      <Section
        title={agentTexts.list}
        aside={
          isRunning && (
            <Button icon="pause" onClick={() => setIsStopping(true)}>
              {agentTexts.stopAll}
            </Button>
          )
        }
      >
        <Loaded query={query} rows={3}>
          {(agents) =>
            agents.length === 0 && isAwaited ? (
              <p className={styles.progress}>{agentTexts.awaited}</p>
            ) : agents.length === 0 ? (
              <EmptyState icon="agent" title={agentTexts.emptyTitle} action={add}>
                {canAddAgents ? agentTexts.emptyText : agentTexts.guestText}
              </EmptyState>
            ) : (
              <List label={agentTexts.list}>
                {agents.map((agent) => (
                  <AgentRow
                    key={agent.actor_id}
                    agent={agent}
                    onKey={(secret) => setAdmission({ kind: 'key', secret })}
                  />
                ))}
              </List>
            )
          }
        </Loaded>
      </Section>
      {awaitsMembers && <Skeleton rows={3} />}
      {isAdmin && <TenantAgents />}
      <AgentCodes />
      <Webhooks reach="own" />
      {isAdding && canAddAgents && (
        <InviteAgent
          onClose={() => setIsAdding(false)}
          onInvited={(invited) => {
            setIsAdding(false)
            setAdmission(invited)
          }}
        />
      )}
      {isStopping && <StopDialog agent={null} onClose={() => setIsStopping(false)} />}
      {admission?.kind === 'code' ? (
        <PasteDialog {...admission} onDone={() => setAdmission(null)} />
      ) : (
        <SecretDialog secret={admission?.secret ?? null} {...agentTexts.secret} onDone={() => setAdmission(null)} />
      )}
    </PageFrame>
  )
}

interface PasteDialogProps extends Omit<Extract<Admission, { kind: 'code' }>, 'kind'> {
  readonly onDone: () => void
}

/** Shows the commands that redeem a code, and whether it has been redeemed. */
function PasteDialog({ secret: code, codeId, name, onDone }: PasteDialogProps) {
  const { origin } = window.location
  const isRedeemed = useIsRedeemed(codeId)
  const { withCurl, waits, joined, ...words } = agentCodesTexts.secret
  return (
    <SecretDialog secret={joinLine(origin, code)} {...words} onDone={onDone}>
      <CopyField label={withCurl} value={curlLine(origin, code)} />
      <p className={styles.progress} data-joined={isRedeemed} role="status">
        {isRedeemed && <Icon name="check" />}
        {isRedeemed ? joined(name) : waits(name)}
      </p>
    </SecretDialog>
  )
}
