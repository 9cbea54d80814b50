import type { RouterInputs } from '@collab-spaces/client'
import { useSession } from '../session/session'
import { useMe } from './actor'
import { refresh, reset, SECRET, useChange, useRead } from './call'
import { SPACES, spaceKey } from './space-cache'

const INVITES = ['invites'] as const
const policyKey = (tenantId: string) => ['tenant', tenantId, 'policy'] as const
const privateSpacesKey = (tenantId: string) => ['tenant', tenantId, 'private-spaces'] as const
const membersKey = (tenantId: string | null | undefined) => ['members', tenantId] as const

/** Members come and go seldom. */
const STALE_MS = 60_000

/** The tenant of this account: null in the shared scope, undefined until it is known. */
export const useMyTenantId = (): string | null | undefined => useMe().data?.tenant_id

export const useTenant = (tenantId: string) =>
  useRead(['tenant', tenantId], (client, how) => client.tenant.get.query({ tenant_id: tenantId }, how))

/** The humans and agents of a tenant, the oldest first. */
export const useMembers = (tenantId: string | null | undefined) =>
  useRead(membersKey(tenantId), (client, how) => client.tenant.members.query({ tenant_id: tenantId ?? '' }, how), {
    enabled: typeof tenantId === 'string',
    staleTime: STALE_MS,
  })

/** Whether it is still being read who is in the tenant of this account, and whether there is one. */
export function useAwaitsMembers(): boolean {
  const me = useMe()
  const members = useMembers(me.data?.tenant_id)
  return me.isLoading || members.isLoading
}

/** Whether this account is an admin of its tenant; false until it is known. */
export function useIsAdmin(): boolean {
  const { account } = useSession()
  const { data: members } = useMembers(useMyTenantId())
  return members?.some(({ actor_id, is_admin }) => actor_id === account.actorId && is_admin) ?? false
}

/** The creator of a tenant moves into it, and sees other spaces than before. */
export const useCreateTenant = () => useChange((client, name: string) => client.tenant.create.mutate({ name }), reset)

export const useLeaveTenant = (tenantId: string) =>
  useChange((client) => client.tenant.leave.mutate({ tenant_id: tenantId }), reset)

export const usePromoteMember = (tenantId: string) =>
  useChange(
    (client, change: Omit<RouterInputs['tenant']['promote'], 'tenant_id'>) =>
      client.tenant.promote.mutate({ ...change, tenant_id: tenantId }),
    refresh(membersKey(tenantId)),
  )

export const useSetAccess = (tenantId: string) =>
  useChange(
    (client, change: Pick<RouterInputs['tenant']['setAccess'], 'actor_id' | 'access'>) =>
      client.tenant.setAccess.mutate({ ...change, tenant_id: tenantId }),
    refresh(membersKey(tenantId)),
  )

/** Starts an agent that came along with a new member, or that was stopped. For admins. */
export const useAdmitAgent = (tenantId: string) =>
  useChange(
    (client, actorId: string) => client.actor.start.mutate({ actor_id: actorId }),
    refresh(membersKey(tenantId)),
  )

export const useRemoveMember = (tenantId: string) =>
  useChange(
    (client, actorId: string) => client.tenant.removeMember.mutate({ tenant_id: tenantId, actor_id: actorId }),
    refresh(membersKey(tenantId)),
  )

/** The private spaces of the tenant. Only its admins may know of them. */
export const usePrivateSpaces = (tenantId: string) =>
  useRead(privateSpacesKey(tenantId), (client, how) => client.tenant.privateSpaces.query({ tenant_id: tenantId }, how))

/** An admin lets itself into a private space. */
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

/** Disables a member, with its agents, or enables it again. */
export const useDisableMember = (tenantId: string) =>
  useChange(
    async (client, { actorId, isDisabled }: { readonly actorId: string; readonly isDisabled: boolean }) => {
      const { disable, enable } = client.actor
      await (isDisabled ? disable : enable).mutate({ actor_id: actorId })
    },
    refresh(membersKey(tenantId)),
  )

/** The invites to the tenant. Only its admins may see them. */
export const useInvites = () => useRead(INVITES, (client, how) => client.invite.list.query(undefined, how))

export const useCreateInvite = () =>
  useChange(
    (client, invite: RouterInputs['invite']['create']) => client.invite.create.mutate(invite),
    refresh(INVITES),
    SECRET,
  )

export const useRevokeInvite = () =>
  useChange((client, inviteId: string) => client.invite.revoke.mutate({ invite_id: inviteId }), refresh(INVITES))
