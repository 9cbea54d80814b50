import type { RouterOutputs } from '@collab-spaces/client'
import { useState } from 'react'
import { Avatar } from '../components/Avatar'
import { Badge } from '../components/Badge'
import { Button, IconButton } from '../components/Button'
import { ConfirmDialog } from '../components/ConfirmDialog'
import { ErrorNote } from '../components/ErrorNote'
import { List, ListRow } from '../components/List'
import { Menu, MenuItem } from '../components/Menu'
import { Section } from '../components/PageFrame'
import { Skeleton } from '../components/Skeleton'
import { Time } from '../components/Time'
import { useAdmitAgent, useMembers, usePromoteMember, useRemoveMember } from '../query/tenant'
import { useSession } from '../session/session'
import { texts } from '../texts'

type Member = RouterOutputs['tenant']['members'][number]

interface MembersProps {
  readonly tenantId: string
  /** Whether this account may change them. */
  readonly isAdmin: boolean
}

export function Members({ tenantId, isAdmin }: MembersProps) {
  const { data: members, error, refetch } = useMembers(tenantId)
  const words = texts.members
  const nameOf = (id: string | null) => members?.find(({ actor_id }) => actor_id === id)?.display_name ?? null
  return (
    <Section title={words.title}>
      {error && !members ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : !members ? (
        <Skeleton rows={4} />
      ) : (
        <List label={words.title}>
          {members.map((member) => (
            <MemberRow
              key={member.actor_id}
              tenantId={tenantId}
              member={member}
              sponsor={nameOf(member.sponsor_id)}
              canChange={isAdmin && member.actor_type === 'human'}
              canAdmit={isAdmin && member.stopped !== null}
            />
          ))}
        </List>
      )}
    </Section>
  )
}

interface MemberRowProps {
  readonly tenantId: string
  readonly member: Member
  /** The name of the human who answers for an agent. */
  readonly sponsor: string | null
  readonly canChange: boolean
  readonly canAdmit: boolean
}

function MemberRow({ tenantId, member, sponsor, canChange, canAdmit }: MemberRowProps) {
  const { account } = useSession()
  const { actor_id, display_name, actor_type, is_admin, stopped, created_at } = member
  const promote = usePromoteMember(tenantId)
  const words = texts.members
  return (
    <ListRow
      icon={<Avatar id={actor_id} name={display_name} kind={actor_type} />}
      title={
        <>
          {display_name}
          {actor_id === account.actorId && <Badge tone="accent">{words.you}</Badge>}
          {actor_type === 'agent' && <Badge tone="agent">{texts.speakers.agent}</Badge>}
          {is_admin && <Badge>{words.admin}</Badge>}
          {stopped && <Badge>{words.stopped}</Badge>}
        </>
      }
      actions={
        <>
          {canAdmit && <AdmitAgent tenantId={tenantId} agent={member} />}
          {canChange && (
            <MemberMenu
              tenantId={tenantId}
              member={member}
              onPromote={() => promote.mutate({ actor_id, is_admin: !is_admin })}
            />
          )}
        </>
      }
    >
      <span>
        {sponsor !== null && <>{texts.people.agentOf(sponsor)} · </>}
        {stopped?.reason && <>{stopped.reason} · </>}
        {words.since} <Time at={created_at} form="date" />
      </span>
      {promote.isError && <ErrorNote error={promote.error} />}
    </ListRow>
  )
}

/** Lets an agent that came along with a new member do more than look. */
function AdmitAgent({ tenantId, agent }: { readonly tenantId: string; readonly agent: Member }) {
  const admit = useAdmitAgent(tenantId)
  const words = texts.members
  return (
    <>
      <Button
        size="small"
        aria-label={words.admitNamed(agent.display_name)}
        isBusy={admit.isPending}
        onClick={() => admit.mutate(agent.actor_id)}
      >
        {words.admit}
      </Button>
      {admit.isError && <ErrorNote error={admit.error} />}
    </>
  )
}

function MemberMenu({
  tenantId,
  member,
  onPromote,
}: Pick<MemberRowProps, 'tenantId' | 'member'> & { onPromote: () => void }) {
  const [isRemoving, setIsRemoving] = useState(false)
  const remove = useRemoveMember(tenantId)
  const words = texts.members
  return (
    <>
      <Menu trigger={<IconButton size="small" icon="more" label={words.menu(member.display_name)} />}>
        <MenuItem icon="key" onSelect={onPromote}>
          {member.is_admin ? words.demote : words.promote}
        </MenuItem>
        <MenuItem icon="close" isDanger onSelect={() => setIsRemoving(true)}>
          {words.remove}
        </MenuItem>
      </Menu>
      <ConfirmDialog
        isOpen={isRemoving}
        onClose={() => setIsRemoving(false)}
        title={words.removeTitle(member.display_name)}
        text={words.removeText}
        confirm={words.removeSubmit}
        asked={remove}
        onConfirm={() => remove.mutate(member.actor_id, { onSuccess: () => setIsRemoving(false) })}
      />
    </>
  )
}
