import { accounts, useSession } from '../session/session'
import { reset, useChange, useRead } from './call'

/** The actor of this account, as the server knows it. */
export const useMe = () => useRead(['me'], (client, how) => client.actor.me.query(undefined, how))

/** An actor as colleagues see it, and the spaces in common; an error for one that is none. */
export const useActorCard = (actorId: string) =>
  useRead(['card', actorId], (client, how) => client.actor.card.query({ actor_id: actorId }, how))

/** Moves this account into the tenant that invites it: everything it saw before looks different from there. */
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
