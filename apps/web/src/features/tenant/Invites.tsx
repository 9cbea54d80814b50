import type { Invite } from '@collab-spaces/client'
import { useState } from 'react'
import { Badge } from '../../shared/components/Badge'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { List, ListRow } from '../../shared/components/List'
import { Loaded } from '../../shared/components/Loaded'
import { Section } from '../../shared/components/PageFrame'
import { CreateWithSecret } from '../../shared/components/SecretDialog'
import { Time } from '../../shared/components/Time'
import { useSpaceNames } from '../../shared/query/space-name'
import { useInvites, useRevokeInvite } from '../../shared/query/tenant'
import { texts } from '../../shared/texts'
import { CreateInvite } from './CreateInvite'
import { invitesTexts } from './texts'

/** The invites to the tenant, for its admins. */
export function Invites() {
  const query = useInvites()
  const { data: invites } = query
  const [isCreating, setIsCreating] = useState(false)
  const words = invitesTexts
  const create = (
    <Button icon="plus" onClick={() => setIsCreating(true)}>
      {words.create}
    </Button>
  )
  return (
    <Section title={words.title} aside={invites && invites.length > 0 && create}>
      <Loaded query={query} rows={2}>
        {(invites) =>
          invites.length === 0 ? (
            <EmptyState icon="people" title={words.emptyTitle} action={create}>
              {words.emptyText}
            </EmptyState>
          ) : (
            <List label={words.title}>
              {invites.toReversed().map((invite) => (
                <InviteRow key={invite.invite_id} invite={invite} />
              ))}
            </List>
          )
        }
      </Loaded>
      <CreateWithSecret
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        dialog={CreateInvite}
        words={words.secret}
      />
    </Section>
  )
}

function InviteRow({ invite }: { readonly invite: Invite }) {
  const revoke = useRevokeInvite()
  const { invite_id, email, default_space_id, created_at, expires_at, revoked_at, redeemed_at } = invite
  const words = invitesTexts
  const nameOf = useSpaceNames()
  const isOpen = revoked_at === null && redeemed_at === null && Date.parse(expires_at) > Date.now()
  return (
    <ListRow
      icon="people"
      title={
        <>
          {email ?? words.anyone}
          <State invite={invite} isOpen={isOpen} />
        </>
      }
      actions={
        isOpen && (
          <Button size="small" isBusy={revoke.isPending} onClick={() => revoke.mutate(invite_id)}>
            {texts.revoke}
          </Button>
        )
      }
    >
      <span>
        {words.created} <Time at={created_at} /> · {words.until} <Time at={expires_at} form="date" />
        {default_space_id !== null && <> · {words.into(nameOf(default_space_id))}</>}
      </span>
      {revoke.isError && <ErrorNote error={revoke.error} />}
    </ListRow>
  )
}

function State({ invite, isOpen }: { readonly invite: Invite; readonly isOpen: boolean }) {
  const words = invitesTexts
  if (isOpen) return <Badge tone="good">{words.open}</Badge>
  if (invite.redeemed_at !== null) return <Badge>{words.redeemed}</Badge>
  return <Badge tone="bad">{invite.revoked_at === null ? words.expired : words.revoked}</Badge>
}
