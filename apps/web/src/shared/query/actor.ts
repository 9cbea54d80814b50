import type { RouterInputs, RouterOutputs } from '@collab-spaces/client'
import { accounts, useSession } from '../session/session'
import { refresh, reset, useChange, useRead } from './call'

export type Me = RouterOutputs['actor']['me']

/** Returns the actor of this account. */
export const useMe = () => useRead(['me'], (client, how) => client.actor.me.query(undefined, how))

/** Returns the public card of an actor and common spaces; 404 without any relation. */
export const useActorCard = (actorId: string) =>
  useRead(['card', actorId], (client, how) => client.actor.card.query({ actor_id: actorId }, how))

/** Changes the profile of this account, and its name in the list of accounts of this browser. */
export function useChangeProfile() {
  const { account } = useSession()
  return useChange(
    (client, change: Omit<RouterInputs['actor']['change'], 'actor_id'>) =>
      client.actor.change.mutate({ ...change, actor_id: account.actorId }),
    (cache, { display_name }) => {
      accounts.rename(account.actorId, display_name)
      return refresh(['me'], ['members'], ['card'], ['space'])(cache)
    },
  )
}

/** Moves this account into the inviting tenant. Resets the cache, as the tenant changes what is visible. */
export function useRedeemInvite() {
  const { account } = useSession()
  return useChange(
    (client, code: string) => client.invite.redeem.mutate({ code }),
    (cache, actor) => {
      accounts.add({ ...account, name: actor.display_name })
      return reset(cache)
    },
  )
}
