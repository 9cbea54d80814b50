import { LIMITS, type TenantId } from '@collab-spaces/domain'
import type { Command } from 'commander'
import { textUpTo } from './arguments.js'
import { type ConfirmedFlags, requireYes } from './context.js'

/** The options of a command that erases something. */
export interface ErasureFlags extends ConfirmedFlags {
  readonly by: string
  readonly reason?: string
}

/** Adds the options for the requester and the reason of an erasure. */
export const erasing = (command: Command): Command =>
  command
    .requiredOption('--by <who>', 'who asked for it, for the record', textUpTo(LIMITS.erasureBy))
    .option('--reason <text>', 'why, for the record', textUpTo(LIMITS.erasureReason))
    .option('--yes', 'confirm; without it, nothing is erased')

export const requestOf = (tenantId: TenantId, spaceId: string, { by, reason }: ErasureFlags) => ({
  tenantId,
  spaceId,
  requestedBy: by,
  reason: reason ?? null,
})

/** Requires confirmation, as an erasure cannot be undone. */
export const requireErasure = (flags: ErasureFlags, what: string) =>
  requireYes(flags, `This ${what}. Only a backup can restore that.`)
