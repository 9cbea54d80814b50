import type { SpaceDetails } from '@collab-spaces/client'
import { useSession } from '../session/session'
import { useMe } from './actor'
import type { TokenScope } from './credential'
import { useIsAdmin } from './tenant'

/**
 * Whether this account may change a space: as one of its owners, as an agent of one, or as an admin. The server judges for
 * itself: this only spares people a refusal. False until it is known.
 */
export function useGoverns(space: Pick<SpaceDetails, 'owners'> | undefined): boolean {
  const { account } = useSession()
  const { data: me } = useMe()
  const isAdmin = useIsAdmin()
  if (!space) return false
  const sponsorId = me?.sponsor_id ?? null
  return isAdmin || space.owners.some((owner) => owner === account.actorId || owner === sponsorId)
}

/** Whether the credential of this account has a scope. Until that is known, it has: most have all. */
export function useMay(scope: TokenScope): boolean {
  const { data: me } = useMe()
  return me?.scopes?.includes(scope) ?? true
}
