import { accounts, useSession } from '../session/session'
import { reset, useChange, useRead } from './call'

/** Who this account is, as the server knows it. */
export const useMe = () => useRead(['me'], (client, how) => client.actor.me.query(undefined, how))

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
