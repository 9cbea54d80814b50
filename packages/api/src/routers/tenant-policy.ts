import { requireAdmin, requireOwnTenant, unknown, webhookHosts } from '@collab-spaces/domain'
import { presentTenantPolicy } from '../presenters/tenant.js'
import { procedure, router } from '../procedure/trpc.js'
import { TenantPath } from '../schemas/tenant.js'
import { SetTenantPolicy, TenantPolicy } from '../schemas/tenant-policy.js'

export const tenantPolicyRouter = router({
  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/tenants/{tenant_id}/policy',
      tags: ['Policies', 'Extensions'],
      summary: 'Get the policy of the tenant of the caller',
      returns: 'policy: `tenant_id`, `attribution`, `agent_scopes`, `webhook_hosts`',
    })
    .input(TenantPath)
    .output(TenantPolicy)
    .query(async ({ ctx: { caller, services }, input: { tenant_id } }) => {
      requireOwnTenant(caller, tenant_id)
      const tenant = await services.database.tenants.find(caller.tenantId)
      if (!tenant) throw unknown('Tenant')
      return presentTenantPolicy(tenant.tenantId, tenant.policy)
    }),

  set: procedure
    .meta({
      caller: 'admin',
      scope: 'account',
      cost: 'change',
      route: 'PUT /api/tenants/{tenant_id}/policy',
      tags: ['Policies', 'Extensions'],
      summary: 'Set the policy of the tenant',
      description: 'What is left out stays.',
      returns: 'policy',
      example: { attribution: 'no_members' },
    })
    .input(SetTenantPolicy)
    .output(TenantPolicy)
    .mutation(async ({ ctx: { caller, services }, input: { tenant_id, attribution, agent_scopes, webhook_hosts } }) => {
      requireOwnTenant(caller, tenant_id)
      const change = {
        attribution,
        agentScopes: agent_scopes,
        webhookHosts: webhook_hosts && webhookHosts(webhook_hosts),
      }
      const policy = await services.database.tenants.changePolicy(caller, change, requireAdmin)
      return presentTenantPolicy(caller.tenantId, policy)
    }),
})
