import { randomBytes, randomUUID } from 'node:crypto'
import { DEFAULT_SCOPE, isUuid, requireMember, schemaName, unknown } from '@collab-spaces/domain'
import { presentTenant } from '../presenters/tenant.js'
import { procedure, router } from '../procedure/trpc.js'
import { CreateTenant, Tenant, TenantId } from '../schemas/tenant.js'

export const tenantRouter = router({
  create: procedure
    .meta({
      caller: 'human',
      openapi: {
        method: 'POST',
        path: '/api/tenants',
        tags: ['Tenants'],
        summary: 'Create a tenant and move into it as its admin, with the agents the caller sponsors',
      },
    })
    .input(CreateTenant)
    .output(Tenant)
    .mutation(async ({ ctx: { caller, services }, input: { name } }) => {
      const tenant = await services.database.tenants.create(caller, {
        tenantId: randomUUID(),
        name,
        schemaName: schemaName(name, randomBytes),
        createdAt: new Date(),
      })
      // This ends the streams in the previous scope.
      services.revocations.announce()
      return presentTenant(tenant)
    }),

  get: procedure
    .meta({
      caller: 'actor',
      openapi: {
        method: 'GET',
        path: '/api/tenants/{tenant_id}',
        tags: ['Tenants'],
        summary: 'Get the tenant of the caller',
        errorResponses: [404],
      },
    })
    .input(TenantId)
    .output(Tenant)
    .query(async ({ ctx: { caller, services }, input: { tenant_id } }) => {
      const tenant = isUuid(tenant_id) ? await services.database.tenants.find(tenant_id) : null
      // The shared scope is nobody's tenant.
      if (!tenant || tenant.tenantId === DEFAULT_SCOPE) throw unknown('Tenant')
      requireMember(caller, tenant.tenantId)
      return presentTenant(tenant)
    }),
})
