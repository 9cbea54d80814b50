import type { Initiator, TenantId } from '@collab-spaces/domain'
import { record } from '../audit/audit.js'
import type { Transaction } from '../connection/store-context.js'
import { Prisma } from '../generated/client.js'

/**
 * Revokes unredeemed invites and agent codes when the right of their creators ends. Locked rows are skipped: they are
 * being redeemed, and admission checks the rights at the moment of entry.
 */

/** Revokes all codes created by actors in a tenant. */
export const revokeCodesOf = (
  tx: Transaction,
  by: Initiator,
  tenantId: TenantId,
  makers: readonly string[],
): Promise<void> =>
  revoke(tx, by, tenantId, { invites: madeBy('created_by', makers), codes: madeBy('sponsor_id', makers) })

/** Revokes all invites created in a tenant by actors that are no longer its admins. */
export const revokeInvitesOf = (
  tx: Transaction,
  by: Initiator,
  tenantId: TenantId,
  makers: readonly string[],
): Promise<void> => revoke(tx, by, tenantId, { invites: madeBy('created_by', makers), codes: Prisma.sql`false` })

/** Revokes the codes to a space created by actors. */
export async function revokeCodesIn(
  tx: Transaction,
  by: Initiator,
  tenantId: TenantId,
  spaceId: string,
  makers: readonly string[],
): Promise<void> {
  if (makers.length === 0) return
  await revoke(tx, by, tenantId, {
    invites: Prisma.sql`default_space_id = ${spaceId} AND ${madeBy('created_by', makers)}`,
    codes: Prisma.sql`${spaceId} = ANY (space_ids) AND ${madeBy('sponsor_id', makers)}`,
  })
}

/** Revokes the codes to a private space whose creators are not its owners. */
export const revokeCodesTo = (
  tx: Transaction,
  by: Initiator,
  tenantId: TenantId,
  spaceId: string,
  owners: readonly string[],
): Promise<void> =>
  revoke(tx, by, tenantId, {
    invites: Prisma.sql`default_space_id = ${spaceId} AND NOT ${madeBy('created_by', owners)}`,
    codes: Prisma.sql`${spaceId} = ANY (space_ids) AND NOT ${madeBy('sponsor_id', owners)}`,
  })

const madeBy = (column: 'created_by' | 'sponsor_id', makers: readonly string[]) =>
  Prisma.sql`coalesce(${Prisma.raw(column)} = ANY (${[...makers]}), false)`

async function revoke(
  tx: Transaction,
  by: Initiator,
  tenantId: TenantId,
  such: { readonly invites: Prisma.Sql; readonly codes: Prisma.Sql },
): Promise<void> {
  const isOpen = Prisma.sql`revoked_at IS NULL AND redeemed_at IS NULL AND expires_at > clock_timestamp()`
  const invites = await tx.$queryRaw<{ id: string }[]>`
    UPDATE invites SET revoked_at = clock_timestamp() WHERE invite_id IN (
      SELECT invite_id FROM invites WHERE tenant_id = ${tenantId}::uuid AND ${isOpen} AND ${such.invites}
      FOR NO KEY UPDATE SKIP LOCKED
    ) RETURNING invite_id AS id`
  if (invites.length > 0) await record(tx, by, tenantId, 'invite.revoked', idsOf(invites))
  const codes = await tx.$queryRaw<{ id: string }[]>`
    UPDATE agent_codes SET revoked_at = clock_timestamp() WHERE code_id IN (
      SELECT code_id FROM agent_codes WHERE tenant_id = ${tenantId}::uuid AND ${isOpen} AND ${such.codes}
      FOR NO KEY UPDATE SKIP LOCKED
    ) RETURNING code_id AS id`
  if (codes.length > 0) await record(tx, by, tenantId, 'agent_code.revoked', idsOf(codes))
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
