import { forbidden, isUuid, notSealed, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentAuditEntry } from '../presenters/audit.js'
import { presentCheckpoint } from '../presenters/log.js'
import type { Caller } from '../procedure/credential.js'
import { procedure, router } from '../procedure/trpc.js'
import { consistencyOf, exportOf, openTree, receiptOf } from '../proofs.js'
import { AuditEntry, ListAudit } from '../schemas/audit.js'
import { Checkpoint, Consistency, ExportAudit, GetAuditConsistency, GetAuditProof, Receipt } from '../schemas/log.js'
import type { Services } from '../services.js'

export const auditRouter = router({
  list: procedure
    .meta({
      caller: 'auditor',
      scope: 'account',
      cost: 'row',
      route: 'GET /api/audit',
      tags: ['Audit', 'Extensions'],
      summary: 'List the security log of the tenant, newest first',
      description: '`before` is an entry id; `since` and `until` are times.',
      returns: 'entries, newest first',
      errors: [404],
    })
    .input(ListAudit)
    .output(z.array(AuditEntry))
    .query(async ({ ctx: { caller, services }, input: { before = null, actor_id, subject_id, ...filter } }) => {
      const page = { ...filter, actorId: actor_id, subjectId: subject_id, before, reach: caller.limits.spaceIds }
      const entries = await services.database.audit.list(caller.tenantId, page)
      return entries.map(presentAuditEntry)
    }),

  checkpoint: procedure
    .meta({
      caller: 'auditor',
      scope: 'account',
      cost: 'row',
      route: 'GET /api/audit/log/checkpoint',
      tags: ['Audit', 'Extensions'],
      summary: 'Get the newest checkpoint of the security log',
      returns: "checkpoint, like a space's",
      errors: [409],
    })
    .output(Checkpoint)
    .query(async ({ ctx: { caller, services } }) => presentCheckpoint((await openAudit(services, caller)).tree)),

  proof: procedure
    .meta({
      caller: 'auditor',
      scope: 'account',
      cost: 'page',
      route: 'GET /api/audit/log/proof',
      tags: ['Audit', 'Extensions'],
      summary: 'Get the receipt of an entry of the security log',
      returns: 'a receipt of the entry',
      errors: [404, 409],
    })
    .input(GetAuditProof)
    .output(Receipt)
    .query(async ({ ctx: { caller, services }, input: { entry_id } }) => {
      const tree = await openAudit(services, caller)
      const { trees } = services.database
      const entry = isUuid(entry_id) ? await trees.auditEntry(caller.tenantId, entry_id) : null
      if (!entry) throw unknown('Entry')
      if (entry.position === null) throw notSealed()
      return receiptOf(tree, 'audit_entry', entry.entryId, [entry.position])
    }),

  consistency: procedure
    .meta({
      caller: 'auditor',
      scope: 'account',
      cost: 'page',
      route: 'GET /api/audit/log/consistency',
      tags: ['Audit', 'Extensions'],
      summary: 'Get the proof that a checkpoint of the security log extends an earlier one',
      returns: '`from`, `to`, `proof`',
      errors: [409],
    })
    .input(GetAuditConsistency)
    .output(Consistency)
    .query(async ({ ctx: { caller, services }, input: { from, to } }) =>
      consistencyOf(await openAudit(services, caller), from, to),
    ),

  export: procedure
    .meta({
      caller: 'auditor',
      scope: 'account',
      cost: 'heavy',
      lines: true,
      route: 'GET /api/audit/log/export',
      tags: ['Audit', 'Extensions'],
      summary: 'Export the security log with its proofs',
      description: 'To follow it, `after` is the size of the last checkpoint.',
      returns: 'lines of JSON',
      errors: [409],
    })
    .input(ExportAudit)
    .output(z.string())
    .query(async ({ ctx: { caller, services }, input: { after } }) =>
      exportOf(await openAudit(services, caller), after),
    ),
})

/** All of the security log, which is more than a credential sees that is limited to some spaces. */
function openAudit(services: Services, { tenantId, limits }: Caller) {
  if (limits.spaceIds !== null) throw forbidden('The credential is limited to some spaces')
  return openTree(services, { tenantId, spaceId: null, tree: 'audit' })
}
