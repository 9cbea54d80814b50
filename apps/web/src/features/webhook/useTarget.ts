import type { Webhook } from '@collab-spaces/client'
import { useActorNames } from '../../shared/query/names'
import { useSpaceNames } from '../../shared/query/space-name'
import { useSession } from '../../shared/session/session'
import { webhooksTexts } from './texts'

/** Returns the space or inbox of a webhook, in words. */
export function useTarget({ space_id, inbox_of }: Webhook): string {
  const { account } = useSession()
  const { nameOf } = useActorNames()
  const spaceNameOf = useSpaceNames()
  const { target } = webhooksTexts
  if (space_id !== null) return target.space(spaceNameOf(space_id))
  return inbox_of === account.actorId ? target.ownInbox : target.inbox(nameOf(inbox_of ?? ''))
}
