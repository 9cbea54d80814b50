import { databaseClock } from '@collab-spaces/db'
import { unknown } from '@collab-spaces/domain'
import { type OldEvents, redactOldEvents, type SpaceWithOldEvents, spacesWithOldEvents } from '@collab-spaces/operator'
import type { Command } from 'commander'
import { type Before, parseBefore } from '../arguments.js'
import type { CommandContext } from '../context.js'
import { type ErasureFlags, erasing, requireErasure } from '../erasure.js'
import { print } from '../output.js'
import { counted, progressTo } from '../progress.js'
import { requireTenantId } from '../tenant.js'

export interface BeforeFlags {
  readonly before: Before
}

export const BEFORE_FLAG = [
  '--before <time>',
  'the events before this time, such as 2026-01-01, or 90d for 90 days ago',
  parseBefore,
] as const

/** Adds `redact` to the commands of tenants. */
export function redactTenantCommand(tenant: Command, context: CommandContext): void {
  erasing(
    tenant
      .command('redact <tenant-id>')
      .description('Erase the old events of all spaces of a tenant for good; if it is interrupted, run it again')
      .requiredOption(...BEFORE_FLAG),
  ).action((tenant: string, { before, ...flags }: ErasureFlags & BeforeFlags) =>
    redactBefore(context, { tenant, spaceId: null, before }, flags),
  )
}

interface ErasureTarget extends BeforeFlags, Pick<OldEvents, 'spaceId'> {
  /** The argument, unchecked. */
  readonly tenant: string
}

/** Erases the events before a time, in a space or in all spaces of a tenant. */
export async function redactBefore(context: CommandContext, target: ErasureTarget, flags: ErasureFlags): Promise<void> {
  const { spaceId } = target
  const { tenantId, before } = await resolved(context, target)
  const time = before.toISOString()
  await context.withConnection(async (connection) => {
    const oldEvents = { tenantId, spaceId, before }
    requireErasure(
      flags,
      `permanently erases what was said in ${sizeOf(await spacesWithOldEvents(connection, oldEvents))} before ${time}`,
    )
    const request = { requestedBy: flags.by, reason: flags.reason ?? null }
    const { events, spaces } = await redactOldEvents(
      connection,
      oldEvents,
      request,
      progressTo(context.note),
      context.signal,
    )
    const value = { tenant_id: tenantId, ...(spaceId !== null && { space_id: spaceId }), before: time, events, spaces }
    const line = `Redacted ${counted(events, 'event')} in ${counted(spaces, 'space')}: all from before ${time}.`
    print(context, flags, value, [events === 0 ? `There is nothing left to redact from before ${time}.` : line])
  })
}

const sizeOf = (spaces: readonly SpaceWithOldEvents[]) => {
  const events = spaces.reduce((sum, { after, last }) => sum + last - after, 0)
  return `${counted(events, 'event')} of ${counted(spaces.length, 'space')}`
}

const resolved = ({ withDatabase }: CommandContext, { tenant, spaceId, before }: ErasureTarget) =>
  withDatabase(async (database) => {
    const tenantId = await requireTenantId(database, tenant)
    if (spaceId !== null && !(await database.spaces.findAsSystem(tenantId, spaceId))) throw unknown('Space')
    return { tenantId, before: before(databaseClock.now()) }
  })
