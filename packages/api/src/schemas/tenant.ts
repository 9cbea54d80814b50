import { ACCESSES, ACTOR_TYPES, LIMITS, TENANT_STATUSES } from '@collab-spaces/domain'
import { z } from 'zod'
import { Stopped } from './actor.js'
import { flag, id, moment, oneOf, requiredFlag, trimmed } from './field.js'

export const Tenant = z
  .object({
    tenant_id: z.uuid(),
    name: z.string(),
    schema_name: z.string(),
    status: z.enum(TENANT_STATUSES),
    created_at: moment(),
  })
  .meta({ id: 'Tenant' })

/** An actor as the others of its tenant see it. */
export const Member = z
  .object({
    actor_id: z.string(),
    display_name: z.string(),
    actor_type: z.enum(ACTOR_TYPES),
    sponsor_id: z.string().nullable(),
    is_admin: z.boolean(),
    access: z.enum(ACCESSES).meta({
      description: '`named` of a guest, who sees only the spaces that it was added to, and the actors in them',
    }),
    may_sponsor_agents: z.boolean(),
    stopped: Stopped,
    created_at: moment(),
    disabled: z
      .object({ disabled_at: moment(), disabled_by: z.string().nullable() })
      .nullable()
      .meta({ description: 'Set while no credential of it works. `disabled_by` is the admin; null for the operator' }),
  })
  .meta({ id: 'Member' })

export const CreateTenant = z.object({ name: trimmed(LIMITS.tenantName) })

export const TenantMember = z.object({ tenant_id: id('The tenant'), actor_id: id('The human') })

export const PromoteMember = TenantMember.extend({
  is_admin: requiredFlag().meta({ description: 'Whether the human is to be an admin' }),
})

export const SetAccess = TenantMember.extend({
  access: oneOf(ACCESSES),
  may_sponsor_agents: flag().meta({ description: 'Whether a guest may sponsor agents' }),
})

export const TenantId = z.object({ tenant_id: id('The tenant') })
