import { AUDIT_ACTIONS, PAGES } from '@collab-spaces/domain'
import { z } from 'zod'
import { freeObject, id, integer, moment, oneOf, optional, requireForwards, timestamp } from './field.js'

export const AuditEntry = z
  .object({
    entry_id: z.uuid(),
    action: z.enum(AUDIT_ACTIONS),
    actor_id: z.string().nullable().meta({ description: 'Who did it; null for the operator' }),
    credential_id: z.string().nullable().meta({
      description: '`api_key`, the id of a personal access token, or `operator`; null where none is needed',
    }),
    address: z.string().nullable().meta({
      description: 'Where from: an IPv4 address or an IPv6 network; null for the machine of the server',
    }),
    subject_id: z.string().meta({
      description:
        'What it was done to: the id of an actor, a token, an invite, a tenant, a space, or whatever the action names',
    }),
    details: freeObject().nullable().meta({
      description:
        'What else there is to say: of a change, the values `before` and `after` it; of what the operator did, who that is, in `operator`',
    }),
    tenant_id: z.string().nullable(),
    created_at: moment(),
  })
  .meta({ id: 'AuditEntry' })

export const ListAudit = z
  .object({
    action: optional(oneOf(AUDIT_ACTIONS)),
    actor_id: optional(id('Only what this actor did')),
    subject_id: optional(id('Only what was done to this actor, token, invite, tenant, space or whatever else')),
    since: optional(timestamp()),
    until: optional(timestamp()),
    limit: integer(PAGES.audit),
    before: optional(id('The entries before this one: the last of the page before')),
  })
  .superRefine(requireForwards('since', 'until'))
