import type { SpaceDetails } from '@collab-spaces/client'
import { useSession } from '../session/session'
import { useMe } from './actor'
import { useMembers, useMyTenantId } from './tenant'

/**
 * Whether this account may change a space: as one of its owners, as an agent of one, or as an admin. The server judges for
 * itself: this only spares people a refusal. False until it is known.
 */
export function useGoverns(space: Pick<SpaceDetails, 'owners'> | undefined): boolean {
  const { account } = useSession()
  const { data: me } = useMe()
  const { data: members } = useMembers(useMyTenantId())
  if (!space) return false
  const sponsorId = me?.sponsor_id ?? null
  if (space.owners.includes(account.actorId) || (sponsorId !== null && space.owners.includes(sponsorId))) return true
  return members?.some(({ actor_id, is_admin }) => actor_id === account.actorId && is_admin) ?? false
}
