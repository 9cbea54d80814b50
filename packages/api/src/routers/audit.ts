import { isUuid, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentAuditEntry } from '../presenters/audit.js'
import { procedure, router } from '../procedure/trpc.js'
import { AuditEntry, ListAudit } from '../schemas/audit.js'

export const auditRouter = router({
  list: procedure
    .meta({
      caller: 'auditor',
      scope: 'account',
      cost: 'row',
      openapi: {
        method: 'GET',
        path: '/api/audit',
        tags: ['Audit', 'Extensions'],
        summary: 'List the security log of the tenant, newest first',
        description:
          'Who registered, whose credentials were issued or ended, who joined, left and was made admin, which policies and webhooks were changed, and what was redacted. `since` and `until` are inclusive.',
        errorResponses: [404],
      },
    })
    .input(ListAudit)
    .output(z.array(AuditEntry))
    .query(async ({ ctx: { caller, services }, input: { before = null, actor_id, subject_id, ...filter } }) => {
      const isMalformed = before !== null && !isUuid(before)
      const page = { ...filter, actorId: actor_id, subjectId: subject_id, before, reach: caller.limits.spaceIds }
      const entries = isMalformed ? null : await services.database.audit.list(caller.scope, page)
      if (!entries) throw unknown('Entry')
      return entries.map(presentAuditEntry)
    }),
})
