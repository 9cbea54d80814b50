import type { SpaceDetails } from '@collab-spaces/client'
import { useSession } from '../session/session'
import { useMe } from './actor'
import type { TokenScope } from './credential'
import { useIsAdmin, useMembers } from './tenant'

/**
 * Returns whether this account may change a space: as an owner, an owner's agent or an admin. The server checks, too:
 * this only avoids a refused request. False until it loads.
 */
export function useCanManageSpace(space: Pick<SpaceDetails, 'owners'> | undefined): boolean {
  const { account } = useSession()
  const { data: me } = useMe()
  const isAdmin = useIsAdmin()
  if (!space) return false
  const sponsorId = me?.sponsor_id ?? null
  return isAdmin || space.owners.some((owner) => owner === account.actorId || owner === sponsorId)
}

/** What the tenant of this account allows it. */
interface MemberRights {
  readonly isGuest: boolean
  readonly canCreateSpaces: boolean
  readonly canAddAgents: boolean
  readonly canAddParticipants: boolean
}

/** Returns the rights of this account: all of them but for guests. True until they load, as most accounts have all. */
export function useMemberRights(): MemberRights {
  const { account } = useSession()
  const { data: members } = useMembers()
  const own = members?.find(({ actor_id }) => actor_id === account.actorId)
  const isGuest = own?.access === 'named'
  return {
    isGuest,
    canCreateSpaces: !isGuest,
    canAddAgents: own?.may_sponsor_agents ?? true,
    canAddParticipants: !isGuest,
  }
}

/** Returns whether the account's credential has a scope. True until it loads, as most have all. */
export function useHasScope(scope: TokenScope): boolean {
  const { data: me } = useMe()
  return me?.scopes?.includes(scope) ?? true
}
