import { randomBytes, randomUUID } from 'node:crypto'
import { databaseClock, type SpaceMove as SpaceMoveRecord, type TenantRecord } from '@collab-spaces/db'
import {
  DEFAULT_TENANT,
  isUuid,
  requireCanHaveAccess,
  requireCanPromote,
  requireCanRemove,
  requireMember,
  requireNoGuest,
  requireOwnTenant,
  schemaName,
  type TenantId,
  unknown,
} from '@collab-spaces/domain'
import { z } from 'zod'
import { presentPrivateSpace } from '../presenters/space.js'
import { presentMember, presentSpaceMove, presentTenant } from '../presenters/tenant.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { Done } from '../schemas/actor.js'
import { PrivateSpace } from '../schemas/space.js'
import {
  CreatedTenant,
  CreateTenant,
  Member,
  PromoteMember,
  SetAccess,
  SpaceMove,
  Tenant,
  TenantMember,
  TenantPath,
} from '../schemas/tenant.js'
import type { Services } from '../services.js'

export const tenantRouter = router({
  create: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'POST /api/tenants',
      tags: ['Tenants'],
      summary: 'Create a tenant and move into it as its admin, with the agents the caller sponsors',
      description:
        'Moves the caller there from any tenant, as its admin. The last admin of a tenant with other members: 409.',
      returns: 'tenant, with `bring_spaces` also `spaces`: the [space move](#bringing-spaces)',
      errors: [409],
      example: { name: 'Analysts' },
    })
    .input(CreateTenant)
    .output(CreatedTenant)
    .mutation(async ({ ctx: { caller, services }, input: { name, bring_spaces } }) => {
      const { tenants } = services.database
      const planned = {
        tenantId: randomUUID(),
        name,
        schemaName: schemaName(name, randomBytes),
        createdAt: databaseClock.now(),
      }
      const { tenant, move } = bring_spaces
        ? await tenants.createWithSpaces(caller, planned, services.signer)
        : { tenant: await tenants.create(caller, planned), move: null }
      // This ends the streams in the previous scope.
      services.revocations.announce()
      if (move) announceMove(services, caller.tenantId, tenant.tenantId as TenantId, move)
      return { ...presentTenant(tenant), ...(move && { spaces: presentSpaceMove(move) }) }
    }),

  planMove: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'row',
      route: 'GET /api/actors/me/space-move',
      tags: ['Tenants', 'Extensions'],
      summary: 'Preview the space move of creating a tenant with `bring_spaces`',
      returns: 'the space move that `bring_spaces` would be now',
    })
    .output(SpaceMove)
    .query(async ({ ctx: { caller, services } }) =>
      presentSpaceMove(await services.database.tenants.planMove(caller, services.signer)),
    ),

  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/tenants/{tenant_id}',
      tags: ['Tenants'],
      summary: 'Get the tenant of the caller',
      returns: 'tenant',
    })
    .input(TenantPath)
    .output(Tenant)
    .query(async ({ ctx: { caller, services }, input: { tenant_id } }) => {
      const tenant = await requireTenant(services, tenant_id)
      requireMember(caller, tenant.tenantId)
      return presentTenant(tenant)
    }),

  members: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/tenants/{tenant_id}/members',
      tags: ['Tenants', 'Extensions'],
      summary: 'List the humans and agents of the tenant, oldest first',
      returns:
        '**members:** `actor_id`, `display_name`, `actor_type`, `sponsor_id`, `is_admin`, `access`, ' +
        '`may_sponsor_agents`, `stopped`, `created_at`, `disabled` (`{disabled_at, disabled_by}` or null; ' +
        '`disabled_by` is null for the operator)',
    })
    .input(TenantPath)
    .output(z.array(Member))
    .query(async ({ ctx: { caller, services }, input: { tenant_id } }) => {
      requireOwnTenant(caller, tenant_id)
      return RenderedOutput.list(await services.database.tenants.members(caller), presentMember)
    }),

  privateSpaces: procedure
    .meta({
      caller: 'admin',
      scope: 'account',
      cost: 'row',
      route: 'GET /api/tenants/{tenant_id}/private-spaces',
      tags: ['Tenants', 'Extensions'],
      summary: 'List the private spaces of the tenant, newest first',
      returns: 'newest first: `space_id`, `status`, `owners`, `started_at`, `participant_count`, `event_count`',
    })
    .input(TenantPath)
    .output(z.array(PrivateSpace))
    .query(async ({ ctx: { caller, services }, input: { tenant_id } }) => {
      requireOwnTenant(caller, tenant_id)
      return RenderedOutput.list(await services.database.spaces.listPrivate(caller.tenantId), presentPrivateSpace)
    }),

  promote: procedure
    .meta({
      caller: 'admin',
      scope: 'account',
      cost: 'change',
      route: 'PATCH /api/tenants/{tenant_id}/members/{actor_id}',
      tags: ['Tenants', 'Extensions'],
      summary: 'Make a human of the tenant an admin, or an ordinary member again',
      description: 'Agents: 400. The last admin: 409.',
      returns: 'member',
      errors: [409],
      example: { is_admin: true },
    })
    .input(PromoteMember)
    .output(Member)
    .mutation(async ({ ctx: { caller, services }, input: { tenant_id, actor_id, is_admin } }) => {
      requireOwnTenant(caller, tenant_id)
      const { tenants } = services.database
      const member = await tenants.promote(caller.tenantId, caller, actor_id, is_admin, (change) => {
        requireCanPromote(change, is_admin)
        if (is_admin) requireNoGuest(change.member)
      })
      services.revocations.announce()
      return presentMember(member)
    }),

  setAccess: procedure
    .meta({
      caller: 'admin',
      scope: 'account',
      cost: 'change',
      route: 'PUT /api/tenants/{tenant_id}/members/{actor_id}/access',
      tags: ['Tenants', 'Extensions'],
      summary: 'Make a human of the tenant a guest, with its agents, or let it see all open spaces again',
      description:
        '`access` is `named` for a guest, else `all`; `may_sponsor_agents` is for guests, by default `false`. An ' +
        'admin: 409. Agents: 400.',
      returns: 'member',
      errors: [409],
      example: { access: 'named' },
    })
    .input(SetAccess)
    .output(Member)
    .mutation(async ({ ctx: { caller, services }, input: { tenant_id, actor_id, access, may_sponsor_agents } }) => {
      requireOwnTenant(caller, tenant_id)
      const wanted = { isGuest: access === 'named', maySponsor: may_sponsor_agents }
      const member = await services.database.tenants.setAccess(caller, actor_id, wanted, ({ member: found }) =>
        requireCanHaveAccess(found, access),
      )
      services.revocations.announce()
      return presentMember(member)
    }),

  leave: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      alwaysWorks: true,
      route: 'POST /api/tenants/{tenant_id}/leave',
      tags: ['Tenants', 'Extensions'],
      summary: 'Leave the tenant, with the agents the caller sponsors',
      description: 'Moves the caller to the shared tenant. The last admin of a tenant with other members: 409.',
      errors: [409],
    })
    .input(TenantPath)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { tenant_id } }) => {
      requireOwnTenant(caller, tenant_id)
      await services.database.tenants.leave(caller)
      services.revocations.announce()
      return { ok: true }
    }),

  removeMember: procedure
    .meta({
      caller: 'admin',
      scope: 'account',
      cost: 'change',
      route: 'DELETE /api/tenants/{tenant_id}/members/{actor_id}',
      tags: ['Tenants', 'Extensions'],
      summary: 'Remove a human from the tenant, with the agents it sponsors',
      description: 'Moves a human to the shared tenant. Not in it: 404. Agents: 400.',
      errors: [409],
    })
    .input(TenantMember)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { tenant_id, actor_id } }) => {
      requireOwnTenant(caller, tenant_id)
      await services.database.tenants.removeMember(caller.tenantId, caller, actor_id, requireCanRemove)
      services.revocations.announce()
      return { ok: true }
    }),
})

/** Tells all servers to forget what they read of the spaces in the former tenant, and to look at them in the new one. */
function announceMove(
  { database: { bus }, sealer }: Services,
  from: TenantId,
  to: TenantId,
  { moves }: SpaceMoveRecord,
): void {
  for (const { spaceId, eventCount } of moves) {
    bus.publish({ kind: 'erased', tenantId: from, spaceId })
    bus.publish({ kind: 'head', tenantId: to, spaceId, head: eventCount })
    sealer?.changed(to, spaceId)
  }
}

/** 404 for an unknown tenant, and for the shared one. */
async function requireTenant({ database }: Services, tenantId: string): Promise<TenantRecord> {
  const tenant = isUuid(tenantId) ? await database.tenants.find(tenantId) : null
  if (!tenant || tenant.tenantId === DEFAULT_TENANT) throw unknown('Tenant')
  return tenant
}
