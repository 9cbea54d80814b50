import type { RouterInputs, Token } from '@collab-spaces/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { newKey } from '../session/NewKey'
import { accounts, useSession } from '../session/session'

/** What a token or a key can be limited to. */
export type TokenScope = NonNullable<Token['scopes']>[number]

const TOKENS = ['tokens'] as const
const CREDENTIALS = ['credentials'] as const
/** Those that a credential made are stopped with it. */
const AGENTS = ['agents'] as const

/** The personal access tokens of this account, the newest first. Agents have none. */
export function useTokens(hasRevoked: boolean) {
  const { client, account } = useSession()
  return useQuery({
    queryKey: [...TOKENS, hasRevoked],
    queryFn: ({ signal }) => client.token.list.query({ include_revoked: hasRevoked }, { signal }),
    enabled: account.kind === 'human',
  })
}

export function useCreateToken() {
  const { client } = useSession()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (token: RouterInputs['token']['create']) => client.token.create.mutate(token),
    onSuccess: refresh,
    // It has a secret in it, which nothing is to remember.
    gcTime: 0,
  })
}

/** The credentials of this account, of an agent of it, or of a member, with what ends with each. */
export function useCredentials(actorId: string, isWanted = true) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...CREDENTIALS, actorId],
    queryFn: ({ signal }) => client.credential.list.query({ actor_id: actorId }, { signal }),
    enabled: isWanted,
    // Shown before somebody ends it: as it is now.
    staleTime: 0,
  })
}

export function useRevokeCredential(actorId: string) {
  const { client } = useSession()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (credentialId: string) =>
      client.credential.revoke.mutate({ actor_id: actorId, credential_id: credentialId }),
    onSuccess: refresh,
  })
}

/** Replaces the key of an agent of this account. */
export function useRotateKey(actorId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (how: Pick<RouterInputs['actor']['rotateKey'], 'force'>) =>
      client.actor.rotateKey.mutate({ ...how, actor_id: actorId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['agents'] }),
    gcTime: 0,
  })
}

/** Replaces the key of this account, shows the new one, and goes on with it. */
export function useRotateOwnKey() {
  const { client, account } = useSession()
  return useMutation({
    mutationFn: (how: Pick<RouterInputs['actor']['rotateKey'], 'revoke_tokens'>) =>
      client.actor.rotateKey.mutate({ ...how, actor_id: account.actorId, force: true }),
    // Not left to the component: it may be gone by then, as another call can be refused before the new key is here.
    onSuccess: ({ api_key, ended }) => {
      newKey.set({ secret: api_key, ended: ended ?? null })
      accounts.replaceToken(account, api_key)
    },
    gcTime: 0,
  })
}

function useRefresh() {
  const cache = useQueryClient()
  return () => Promise.all([TOKENS, CREDENTIALS, AGENTS].map((queryKey) => cache.invalidateQueries({ queryKey })))
}
