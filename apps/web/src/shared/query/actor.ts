import { accounts, useSession } from '../session/session'
import { refresh, reset, useChange, useRead } from './call'

/** Returns the actor of this account. */
export const useMe = () => useRead(['me'], (client, how) => client.actor.me.query(undefined, how))

/** Returns the public card of an actor and common spaces; 404 without any relation. */
export const useActorCard = (actorId: string) =>
  useRead(['card', actorId], (client, how) => client.actor.card.query({ actor_id: actorId }, how))

/** Changes the name of this account, also in the list of accounts of this browser. */
export function useRename() {
  const { account } = useSession()
  return useChange(
    (client, display_name: string) => client.actor.change.mutate({ actor_id: account.actorId, display_name }),
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
