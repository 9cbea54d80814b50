import type { RouterInputs, Token } from '@collab-spaces/client'
import { newKey } from '../session/new-key'
import { accounts, useSession } from '../session/session'
import { AGENTS } from './agent'
import { refresh, SECRET, useChange, useRead } from './call'

/** A scope of a token or key. */
export type TokenScope = NonNullable<Token['scopes']>[number]

const TOKENS = ['tokens'] as const
export const CREDENTIALS = ['credentials'] as const

/** Returns the personal access tokens of this account, newest first. Agents have none. */
export function useTokens(hasRevoked: boolean) {
  const { account } = useSession()
  return useRead(
    [...TOKENS, hasRevoked],
    (client, how) => client.token.list.query({ include_revoked: hasRevoked }, how),
    { enabled: account.kind === 'human' },
  )
}

export const useCreateToken = () =>
  useChange(
    (client, token: RouterInputs['token']['create']) => client.token.create.mutate(token),
    refresh(TOKENS, CREDENTIALS, AGENTS),
    SECRET,
  )

/** Returns the credentials of this account, its agent or a member, with what ends with each. */
export const useCredentials = (actorId: string, isWanted = true) =>
  useRead(
    [...CREDENTIALS, actorId],
    (client, how) => client.credential.list.query({ actor_id: actorId }, how),
    // Must be current when a revocation is confirmed.
    { enabled: isWanted, staleTime: 0 },
  )

/** Returns the OAuth grants of this account and its agents. */
export function useGrants() {
  const { account } = useSession()
  return useRead([...CREDENTIALS, 'grants'], async (client, how) => {
    const agents = await client.actor.myAgents.query(undefined, how)
    const actors = [{ actor_id: account.actorId, display_name: account.name }, ...agents]
    const lists = await Promise.all(
      actors.map(async ({ actor_id, display_name }) => {
        const credentials = await client.credential.list.query({ actor_id }, how)
        return credentials.filter(({ kind }) => kind === 'grant').map((grant) => ({ ...grant, actsAs: display_name }))
      }),
    )
    return lists.flat()
  })
}

export const useRevokeCredential = (actorId: string) =>
  useChange(
    (client, credentialId: string) =>
      client.credential.revoke.mutate({ actor_id: actorId, credential_id: credentialId }),
    // Agents created with it are stopped.
    refresh(TOKENS, CREDENTIALS, AGENTS),
  )

/** Replaces the key of an agent of this account. */
export const useRotateKey = (actorId: string) =>
  useChange(
    (client, how: Pick<RouterInputs['actor']['rotateKey'], 'force'>) =>
      client.actor.rotateKey.mutate({ ...how, actor_id: actorId }),
    refresh(AGENTS),
    SECRET,
  )

/** Replaces the key of this account, shows the new one, and continues with it. */
export function useRotateOwnKey() {
  const { account } = useSession()
  return useChange(
    (client, how: Pick<RouterInputs['actor']['rotateKey'], 'revoke_tokens'>) =>
      client.actor.rotateKey.mutate({ ...how, actor_id: account.actorId, force: true }),
    // Not in the component, which may have unmounted: another call may be refused before the new key arrives.
    (_, { api_key, ended }) => {
      newKey.set({ secret: api_key, ended: ended ?? null })
      accounts.replaceToken(account, api_key)
    },
    SECRET,
  )
}
