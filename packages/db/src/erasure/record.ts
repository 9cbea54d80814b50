import { type AuditAction, OPERATOR, type Scope } from '@collab-spaces/domain'
import type pg from 'pg'
import type { PrismaClient } from '../generated/client.js'

/** What is to be erased, at whose request. */
export interface ErasureRequest {
  readonly scope: Scope
  readonly spaceId: string
  /** Who asked for it, and why, as the operator notes it. */
  readonly requestedBy: string
  readonly reason: string | null
}

/** What the operator has erased. */
export interface ErasureRecord extends ErasureRequest {
  readonly erasureId: string
  /** Null for a whole space. */
  readonly eventId: string | null
  /** How many events were erased. */
  readonly events: number
  readonly startedAt: Date
  /** Null while a space is being deleted. */
  readonly completedAt: Date | null
}

export interface ErasureStore {
  /** The newest, newest first. */
  list(limit: number): Promise<ErasureRecord[]>
}

export function erasureStore(prisma: PrismaClient): ErasureStore {
  return {
    async list(take) {
      const rows = await prisma.erasure.findMany({ orderBy: [{ startedAt: 'desc' }, { erasureId: 'desc' }], take })
      return rows.map(({ tenantId, leafHash: _, events, ...row }) => ({
        ...row,
        scope: tenantId as Scope,
        events: Number(events),
      }))
    },
  }
}

/** Adds a line to the security log, in the transaction in which it is done. */
export async function recordErasure(client: pg.Client, scope: Scope, action: AuditAction, subjectId: string) {
  await client.query(
    'INSERT INTO audit_entries (tenant_id, action, credential_id, subject_id) VALUES ($1, $2, $3, $4)',
    [scope, action, OPERATOR.credentialId, subjectId],
  )
}
