import type { RouterInputs, RouterOutputs } from '@collab-spaces/client'
import { useSession } from '../session/session'
import { useMe } from './actor'
import { refresh, reset, SECRET, useChange, useRead } from './call'
import { SPACES, spaceKey } from './space-cache'

const INVITES = ['invites'] as const
const policyKey = (tenantId: string) => ['tenant', tenantId, 'policy'] as const
const privateSpacesKey = (tenantId: string) => ['tenant', tenantId, 'private-spaces'] as const
const membersKey = (tenantId: string | null | undefined) => ['members', tenantId] as const

/** Members rarely change. */
const STALE_MS = 60_000

/** Returns the tenant of this account; null without one, undefined until it loads. */
export const useMyTenantId = (): string | null | undefined => useMe().data?.tenant_id

export const useTenant = (tenantId: string) =>
  useRead(['tenant', tenantId], (client, how) => client.tenant.get.query({ tenant_id: tenantId }, how))

/** Returns the humans and agents of this account's tenant, oldest first. */
export function useMembers() {
  const tenantId = useMyTenantId()
  return useRead(
    membersKey(tenantId),
    (client, how) => client.tenant.members.query({ tenant_id: tenantId ?? '' }, how),
    {
      enabled: typeof tenantId === 'string',
      staleTime: STALE_MS,
    },
  )
}

/** Returns whether the tenant or its members are loading. */
export function useAwaitsMembers(): boolean {
  const me = useMe()
  const members = useMembers()
  return me.isLoading || members.isLoading
}

/** Returns whether this account is an admin of its tenant; false until it loads. */
export function useIsAdmin(): boolean {
  const { account } = useSession()
  const { data: members } = useMembers()
  return members?.some(({ actor_id, is_admin }) => actor_id === account.actorId && is_admin) ?? false
}

/** Creates a tenant. Resets the cache, as its creator moves into it and sees other spaces. */
export const useCreateTenant = () =>
  useChange((client, tenant: RouterInputs['tenant']['create']) => client.tenant.create.mutate(tenant), reset)

export type SpaceMove = RouterOutputs['tenant']['planMove']

/** Returns the spaces that would move into a new tenant. */
export const useSpaceMove = () =>
  useRead(['space-move'], (client, how) => client.tenant.planMove.query(undefined, how), { staleTime: 0 })

export const useLeaveTenant = (tenantId: string) =>
  useChange((client) => client.tenant.leave.mutate({ tenant_id: tenantId }), reset)

type MemberChange =
  | Pick<RouterInputs['tenant']['promote'], 'is_admin'>
  | Pick<RouterInputs['tenant']['setAccess'], 'access'>
  | { readonly isDisabled: boolean }

/** Changes a member: admin or not, guest or not, disabled with its agents or enabled. */
export function useChangeMember(tenant_id: string, actor_id: string) {
  const member = { tenant_id, actor_id }
  return useChange(
    async ({ actor, tenant }, change: MemberChange) => {
      if ('is_admin' in change) await tenant.promote.mutate({ ...member, ...change })
      else if ('access' in change) await tenant.setAccess.mutate({ ...member, ...change })
      else await (change.isDisabled ? actor.disable : actor.enable).mutate({ actor_id })
    },
    refresh(membersKey(tenant_id)),
  )
}

export const useRemoveMember = (tenantId: string, actorId: string) =>
  useChange(
    (client) => client.tenant.removeMember.mutate({ tenant_id: tenantId, actor_id: actorId }),
    refresh(membersKey(tenantId)),
  )

/** Returns the private spaces of the tenant, for admins. */
export const usePrivateSpaces = (tenantId: string) =>
  useRead(privateSpacesKey(tenantId), (client, how) => client.tenant.privateSpaces.query({ tenant_id: tenantId }, how))

/** Makes an admin an owner of a private space. */
export const useBecomeOwner = (tenantId: string, spaceId: string) =>
  useChange(
    (client, actorId: string) => client.participant.add.mutate({ space_id: spaceId, actor_id: actorId, role: 'owner' }),
    refresh(privateSpacesKey(tenantId), spaceKey(spaceId), SPACES),
  )

export const useTenantPolicy = (tenantId: string) =>
  useRead(policyKey(tenantId), (client, how) => client.tenantPolicy.get.query({ tenant_id: tenantId }, how))

export const useSetTenantPolicy = (tenantId: string) =>
  useChange(
    (client, change: Omit<RouterInputs['tenantPolicy']['set'], 'tenant_id'>) =>
      client.tenantPolicy.set.mutate({ ...change, tenant_id: tenantId }),
    (cache, policy) => cache.setQueryData(policyKey(tenantId), policy),
  )

/** Returns the invites to the tenant, for admins. */
export const useInvites = () => useRead(INVITES, (client, how) => client.invite.list.query(undefined, how))

/** Creates an invite for each address, or one for anyone with its link. */
export const useCreateInvites = () =>
  useChange(
    async (client, { emails, ...options }: RouterInputs['invite']['createBatch']) => {
      if (emails.length > 1) return client.invite.createBatch.mutate({ emails, ...options })
      return [await client.invite.create.mutate({ email: emails[0], ...options })]
    },
    refresh(INVITES),
    SECRET,
  )

export const useRevokeInvite = () =>
  useChange((client, inviteId: string) => client.invite.revoke.mutate({ invite_id: inviteId }), refresh(INVITES))
