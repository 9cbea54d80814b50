import type { RouterInputs, RouterOutputs } from '@collab-spaces/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { useMe } from './actor'

/** What holds in all spaces of a tenant. */
export type TenantPolicy = RouterOutputs['tenantPolicy']['get']

const INVITES = ['invites'] as const
const policyKey = (tenantId: string) => ['tenant', tenantId, 'policy'] as const
const membersKey = (tenantId: string | null | undefined) => ['members', tenantId] as const

/** Members come and go seldom. */
const STALE_MS = 60_000

/** The tenant of this account: null in the shared scope, undefined until it is known. */
export const useMyTenantId = (): string | null | undefined => useMe().data?.tenant_id

export function useTenant(tenantId: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: ['tenant', tenantId],
    queryFn: ({ signal }) => client.tenant.get.query({ tenant_id: tenantId }, { signal }),
  })
}

/** The humans and agents of a tenant, the oldest first. */
export function useMembers(tenantId: string | null | undefined) {
  const { client } = useSession()
  return useQuery({
    queryKey: membersKey(tenantId),
    queryFn: ({ signal }) => client.tenant.members.query({ tenant_id: tenantId ?? '' }, { signal }),
    enabled: typeof tenantId === 'string',
    staleTime: STALE_MS,
  })
}

/** Whoever creates a tenant moves into it, and sees other spaces than before. */
export function useCreateTenant() {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => client.tenant.create.mutate({ name }),
    onSuccess: () => cache.resetQueries(),
  })
}

export function useLeaveTenant(tenantId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => client.tenant.leave.mutate({ tenant_id: tenantId }),
    onSuccess: () => cache.resetQueries(),
  })
}

export function usePromoteMember(tenantId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (change: Omit<RouterInputs['tenant']['promote'], 'tenant_id'>) =>
      client.tenant.promote.mutate({ ...change, tenant_id: tenantId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: membersKey(tenantId) }),
  })
}

/** Starts an agent that came along with a new member, or that was stopped. For admins. */
export function useAdmitAgent(tenantId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (actorId: string) => client.actor.start.mutate({ actor_id: actorId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: membersKey(tenantId) }),
  })
}

export function useRemoveMember(tenantId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (actorId: string) => client.tenant.removeMember.mutate({ tenant_id: tenantId, actor_id: actorId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: membersKey(tenantId) }),
  })
}

export function useTenantPolicy(tenantId: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: policyKey(tenantId),
    queryFn: ({ signal }) => client.tenantPolicy.get.query({ tenant_id: tenantId }, { signal }),
  })
}

export function useSetTenantPolicy(tenantId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (change: Omit<RouterInputs['tenantPolicy']['set'], 'tenant_id'>) =>
      client.tenantPolicy.set.mutate({ ...change, tenant_id: tenantId }),
    onSuccess: (policy) => cache.setQueryData(policyKey(tenantId), policy),
  })
}

/** Disables a member, with its agents, or enables it again. */
export function useDisableMember(tenantId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ actorId, isDisabled }: { readonly actorId: string; readonly isDisabled: boolean }) =>
      isDisabled
        ? client.actor.disable.mutate({ actor_id: actorId })
        : client.actor.enable.mutate({ actor_id: actorId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: membersKey(tenantId) }),
  })
}

/** The invites to the tenant. Only its admins may see them. */
export function useInvites() {
  const { client } = useSession()
  return useQuery({
    queryKey: INVITES,
    queryFn: ({ signal }) => client.invite.list.query(undefined, { signal }),
  })
}

export function useCreateInvite() {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (invite: RouterInputs['invite']['create']) => client.invite.create.mutate(invite),
    onSuccess: () => cache.invalidateQueries({ queryKey: INVITES }),
    gcTime: 0,
  })
}

export function useRevokeInvite() {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (inviteId: string) => client.invite.revoke.mutate({ invite_id: inviteId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: INVITES }),
  })
}
