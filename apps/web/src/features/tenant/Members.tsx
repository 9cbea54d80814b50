import type { Member } from '@collab-spaces/client'
import { useState } from 'react'
import { ActorName } from '../../shared/components/ActorName'
import { Avatar } from '../../shared/components/Avatar'
import { Badge } from '../../shared/components/Badge'
import { Button, IconButton } from '../../shared/components/Button'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { List, ListRow } from '../../shared/components/List'
import { Loaded } from '../../shared/components/Loaded'
import { Menu, MenuItem } from '../../shared/components/Menu'
import { Section } from '../../shared/components/PageFrame'
import { Time } from '../../shared/components/Time'
import { useStartAgent } from '../../shared/query/agent'
import { useChangeMember, useMembers, useRemoveMember } from '../../shared/query/tenant'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { MemberCredentials } from './MemberCredentials'
import { memberTexts } from './texts'

interface MembersProps {
  readonly tenantId: string
  /** Whether this account may change them. */
  readonly isAdmin: boolean
}

export function Members({ tenantId, isAdmin }: MembersProps) {
  const query = useMembers()
  const { data: members } = query
  const nameOf = (id: string | null) => members?.find(({ actor_id }) => actor_id === id)?.display_name ?? null
  return (
    <Section title={memberTexts.title}>
      <Loaded query={query} rows={4}>
        {(members) => (
          <List label={memberTexts.title}>
            {members.map((member) => (
              <MemberRow
                key={member.actor_id}
                tenantId={tenantId}
                member={member}
                sponsor={nameOf(member.sponsor_id)}
                canChange={isAdmin}
              />
            ))}
          </List>
        )}
      </Loaded>
    </Section>
  )
}

interface MemberRowProps {
  readonly tenantId: string
  readonly member: Member
  /** The name of an agent's sponsor. */
  readonly sponsor: string | null
  readonly canChange: boolean
}

function MemberRow({ tenantId, member, sponsor, canChange }: MemberRowProps) {
  const { account } = useSession()
  const { actor_id, display_name, actor_type, is_admin, access, stopped, created_at, disabled } = member
  const change = useChangeMember(tenantId, actor_id)
  const words = texts.members
  return (
    <ListRow
      icon={<Avatar id={actor_id} name={display_name} kind={actor_type} isStopped={stopped !== null} />}
      title={
        <>
          <ActorName id={actor_id} name={display_name} />
          {actor_id === account.actorId && <Badge tone="accent">{words.you}</Badge>}
          {actor_type === 'agent' && <Badge tone="agent">{texts.speakers.agent}</Badge>}
          {is_admin && <Badge>{words.admin}</Badge>}
          {access === 'named' && <Badge>{memberTexts.guest}</Badge>}
          {stopped && <Badge>{texts.agents.stopped}</Badge>}
          {disabled && <Badge tone="bad">{words.disabled}</Badge>}
        </>
      }
      actions={
        <>
          {canChange && stopped && <AdmitAgent agent={member} />}
          {canChange && <MemberMenu tenantId={tenantId} member={member} onChange={change.mutate} />}
        </>
      }
    >
      <span>
        {sponsor !== null && <>{texts.people.agentOf(sponsor)} · </>}
        {stopped?.reason && <>{stopped.reason} · </>}
        {memberTexts.since} <Time at={created_at} form="date" />
      </span>
      {change.isError && <ErrorNote error={change.error} />}
    </ListRow>
  )
}

/** Admits an agent of a new member, which is read-only until then. */
function AdmitAgent({ agent }: { readonly agent: Member }) {
  const admit = useStartAgent(agent.actor_id)
  return (
    <>
      <Button
        size="small"
        aria-label={memberTexts.admitNamed(agent.display_name)}
        isBusy={admit.isPending}
        onClick={() => admit.mutate()}
      >
        {memberTexts.admit}
      </Button>
      {admit.isError && <ErrorNote error={admit.error} />}
    </>
  )
}

interface MemberMenuProps extends Pick<MemberRowProps, 'tenantId' | 'member'> {
  readonly onChange: ReturnType<typeof useChangeMember>['mutate']
}

function MemberMenu({ tenantId, member, onChange }: MemberMenuProps) {
  const { account } = useSession()
  const [dialog, setDialog] = useState<'credentials' | 'disable' | 'remove' | null>(null)
  const remove = useRemoveMember(tenantId, member.actor_id)
  const disable = useChangeMember(tenantId, member.actor_id)
  const { actor_id: actorId, display_name: name, is_admin, access, disabled } = member
  const isHuman = member.actor_type === 'human'
  const close = () => setDialog(null)
  return (
    <>
      <Menu trigger={<IconButton size="small" icon="more" label={memberTexts.menu(name)} />}>
        {isHuman && (
          <MenuItem icon="key" onSelect={() => onChange({ is_admin: !is_admin })}>
            {is_admin ? memberTexts.demote : memberTexts.promote}
          </MenuItem>
        )}
        {isHuman && !is_admin && (
          <MenuItem icon="lock" onSelect={() => onChange({ access: access === 'named' ? 'all' : 'named' })}>
            {access === 'named' ? memberTexts.noGuest : memberTexts.makeGuest}
          </MenuItem>
        )}
        <MenuItem icon="key" onSelect={() => setDialog('credentials')}>
          {memberTexts.credentials}
        </MenuItem>
        {disabled && (
          <MenuItem icon="check" onSelect={() => onChange({ isDisabled: false })}>
            {memberTexts.enable}
          </MenuItem>
        )}
        {!disabled && actorId !== account.actorId && (
          <MenuItem icon="close" isDanger onSelect={() => setDialog('disable')}>
            {memberTexts.disable}
          </MenuItem>
        )}
        {isHuman && (
          <MenuItem icon="close" isDanger onSelect={() => setDialog('remove')}>
            {memberTexts.remove}
          </MenuItem>
        )}
      </Menu>
      {dialog === 'credentials' && <MemberCredentials actorId={actorId} name={name} onClose={close} />}
      <ConfirmDialog
        isOpen={dialog === 'disable'}
        onClose={close}
        title={memberTexts.disableTitle(name)}
        text={memberTexts.disableText}
        confirm={memberTexts.disableSubmit}
        request={disable}
        onConfirm={() => disable.mutate({ isDisabled: true }, { onSuccess: close })}
      />
      <ConfirmDialog
        isOpen={dialog === 'remove'}
        onClose={close}
        title={memberTexts.removeTitle(name)}
        text={memberTexts.removeText}
        confirm={texts.remove}
        request={remove}
        onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
      />
    </>
  )
}
