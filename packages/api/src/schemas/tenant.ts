import { ACCESSES, ACTOR_TYPES, LIMITS, STAY_REASONS, type StayReason, TENANT_STATUSES } from '@collab-spaces/domain'
import { z } from 'zod'
import { Stopped } from './actor.js'
import { flag, id, moment, oneOf, requiredFlag, trimmedName } from './field.js'

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

const MovableSpace = z.object({ space_id: z.string(), title: z.string().nullable(), event_count: z.int() })

export const SpaceMove = z
  .object({
    moves: z.array(MovableSpace).meta({ description: 'The spaces that come along, newest first' }),
    stays: z
      .array(
        MovableSpace.extend({
          reason: z.enum(Object.keys(STAY_REASONS) as [StayReason, ...StayReason[]]),
          detail: z.string().meta({ description: 'The reason as a sentence' }),
        }),
      )
      .meta({ description: 'The spaces that stay, newest first, and why' }),
    links_removed: z.int().meta({
      description: 'Links between a space that moves and one that stays, which end',
    }),
    webhooks_disabled: z.int().meta({
      description: 'Webhooks that move, and are disabled: rotate their secrets, then enable them',
    }),
  })
  .meta({ id: 'SpaceMove' })

export const CreatedTenant = Tenant.extend({
  spaces: SpaceMove.optional().meta({
    description: 'With `bring_spaces`: the spaces that moved and those that stayed',
  }),
}).meta({ id: 'CreatedTenant' })

export const CreateTenant = z.object({
  name: trimmedName(LIMITS.tenantName),
  bring_spaces: flag().meta({
    description:
      'Whether to move the spaces that only the caller and its agents are in, with all that is in them. Extension',
  }),
})

export const TenantMember = z.object({ tenant_id: id('The tenant'), actor_id: id('The human') })

export const PromoteMember = TenantMember.extend({
  is_admin: requiredFlag().meta({ description: 'Whether the human is to be an admin' }),
})

export const SetAccess = TenantMember.extend({
  access: oneOf(ACCESSES),
  may_sponsor_agents: flag().meta({ description: 'Whether a guest may sponsor agents' }),
})

export const TenantPath = z.object({ tenant_id: id('The tenant') })
