import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { accounts, useSession } from '../session/session'

/** Who this account is, as the server knows it. */
export function useMe() {
  const { client } = useSession()
  return useQuery({ queryKey: ['me'], queryFn: ({ signal }) => client.actor.me.query(undefined, { signal }) })
}

/** Moves this account into the tenant that invites it: everything it saw before looks different from there. */
export function useRedeemInvite() {
  const { account, client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => client.invite.redeem.mutate({ code }),
    onSuccess: (actor) => {
      accounts.add({ ...account, name: actor.display_name })
      return cache.resetQueries()
    },
  })
}
