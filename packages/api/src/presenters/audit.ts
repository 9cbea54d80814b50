import type { AuditRecord } from '@collab-spaces/db'
import { shownTenantId } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { AuditEntry } from '../schemas/audit.js'

export const presentAuditEntry = (entry: AuditRecord): z.infer<typeof AuditEntry> => ({
  entry_id: entry.entryId,
  action: entry.action,
  actor_id: entry.actorId,
  credential_id: entry.credentialId,
  address: entry.address,
  subject_id: entry.subjectId,
  details: entry.details,
  tenant_id: shownTenantId(entry.tenantId),
  created_at: entry.createdAt.toISOString(),
})
