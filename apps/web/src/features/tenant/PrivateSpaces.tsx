import type { RouterOutputs } from '@collab-spaces/client'
import { useState } from 'react'
import { Badge } from '../../shared/components/Badge'
import { Button } from '../../shared/components/Button'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { List, ListRow } from '../../shared/components/List'
import { Section } from '../../shared/components/PageFrame'
import { Time } from '../../shared/components/Time'
import { useActorNames } from '../../shared/query/names'
import { isConversation, useSpaceNames } from '../../shared/query/space-name'
import { useBecomeOwner, usePrivateSpaces } from '../../shared/query/tenant'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { privateSpacesTexts } from './texts'

type PrivateSpace = RouterOutputs['tenant']['privateSpaces'][number]

/** The private spaces of the tenant, for admins: names, owners and sizes, but no content. */
export function PrivateSpaces({ tenantId }: { readonly tenantId: string }) {
  const { data: spaces = [] } = usePrivateSpaces(tenantId)
  const words = privateSpacesTexts
  if (spaces.length === 0) return null
  return (
    <Section title={words.title}>
      <List label={words.title}>
        {spaces.map((space) => (
          <PrivateSpaceRow key={space.space_id} tenantId={tenantId} space={space} />
        ))}
      </List>
    </Section>
  )
}

function PrivateSpaceRow({ tenantId, space }: { readonly tenantId: string; readonly space: PrivateSpace }) {
  const { account } = useSession()
  const { nameOf } = useActorNames()
  const [isAsking, setIsAsking] = useState(false)
  const become = useBecomeOwner(tenantId, space.space_id)
  const { space_id: id, owners, status } = space
  const name = useSpaceNames()(id)
  const words = privateSpacesTexts
  const isTheirs = owners.includes(account.actorId) || isConversation(id)
  const close = () => setIsAsking(false)
  return (
    <ListRow
      icon="lock"
      title={
        <>
          {name}
          {status === 'archived' && <Badge>{texts.spaceStatus.archived}</Badge>}
        </>
      }
      actions={
        !isTheirs && (
          <Button size="small" aria-label={words.becomeNamed(name)} onClick={() => setIsAsking(true)}>
            {words.become}
          </Button>
        )
      }
    >
      <span>
        {words.owners(owners.map((owner) => nameOf(owner)))} · {texts.counts.participants(space.participant_count)} ·{' '}
        {texts.counts.events(space.event_count)} · <Time at={space.started_at} form="date" />
      </span>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title={words.becomeTitle(name)}
        text={words.becomeText}
        confirm={words.become}
        request={become}
        onConfirm={() => become.mutate(account.actorId, { onSuccess: close })}
      />
    </ListRow>
  )
}
