import { AUDIT_ACTIONS, PAGES } from '@collab-spaces/domain'
import { z } from 'zod'
import { freeObject, id, integer, moment, optional } from './field.js'

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
    subject_id: z.string().meta({ description: 'The actor, token, invite, tenant or space that it was done to' }),
    details: freeObject()
      .nullable()
      .meta({ description: 'What else there is to say: of a change, the values `before` and `after` it' }),
    tenant_id: z.string().nullable(),
    created_at: moment(),
  })
  .meta({ id: 'AuditEntry' })

export const ListAudit = z.object({
  limit: integer(PAGES.audit),
  before: optional(id('The entries before this one: the last of the page before')),
})
