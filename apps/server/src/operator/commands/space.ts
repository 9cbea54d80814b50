import { presentCountedSpace } from '@collab-spaces/api'
import type { CountedSpace } from '@collab-spaces/db'
import { SPACE_STATUSES, type SpaceStatus, unknown } from '@collab-spaces/domain'
import { deleteSpace } from '@collab-spaces/operator'
import { type Command, Option } from 'commander'
import type { CommandContext, OutputFlags } from '../context.js'
import { type ErasureFlags, erasing, requestOf, requireErasure } from '../erasure.js'
import { print, printList } from '../output.js'
import { counted, progressTo } from '../progress.js'
import { requireTenantId } from '../tenant.js'
import { redactSpaceCommand } from './redact.js'

export function spaceCommands(space: Command, context: CommandContext): void {
  space
    .command('list <tenant-id>')
    .description('List the spaces of a tenant, newest first')
    .addOption(new Option('--status <status>', 'only those with this status').choices(SPACE_STATUSES))
    .action(list(context))

  redactSpaceCommand(space, context)
  erasing(
    space
      .command('delete <tenant-id> <space-id>')
      .description('Delete a space for good, with all its events; if it is interrupted, run it again to continue'),
  ).action((tenantId: string, spaceId: string, flags: ErasureFlags) => erase(context, tenantId, spaceId, flags))

  space
    .command('owner')
    .description('Name owners of spaces')
    .command('add <tenant-id> <space-id> <actor-id>')
    .description('Name another owner of a space, as where all have left and no admin can')
    .action((tenant: string, spaceId: string, actorId: string, flags: OutputFlags) =>
      context.withDatabase(async (database) => {
        const tenantId = await requireTenantId(database, tenant)
        const { owners } = await database.spaces.addOwner(tenantId, spaceId, actorId)
        print(context, flags, { tenant_id: tenantId, space_id: spaceId, owners }, [
          `The space ${spaceId} belongs to ${owners.join(', ')}.`,
        ])
      }),
    )
}

const list =
  (context: CommandContext) =>
  (tenant: string, { status, ...flags }: OutputFlags & { readonly status?: SpaceStatus }) =>
    context.withDatabase(async (database) => {
      const tenantId = await requireTenantId(database, tenant)
      const spaces = await database.spaces.listAsSystem(tenantId, { status })
      await printList(context, flags, spaces, LIST)
    })

const LIST = {
  present: presentCountedSpace,
  columns: { SPACE: 36, STATUS: 'archived'.length, STARTED: 24, EVENTS: 10, TITLE: 24, DESCRIPTION: 0 },
  cells: (space: CountedSpace) => [
    space.spaceId,
    space.status,
    space.startedAt.toISOString(),
    String(space.eventCount),
    space.title ?? '-',
    // One line each, whatever people wrote.
    space.description.replace(/\s+/g, ' '),
  ],
}

async function erase(context: CommandContext, tenant: string, spaceId: string, flags: ErasureFlags): Promise<void> {
  const { tenantId, eventCount } = await found(context, tenant, spaceId)
  requireErasure(flags, `permanently deletes the space ${spaceId} and its ${counted(eventCount, 'event')}`)
  await context.withConnection(async (connection) => {
    const request = requestOf(tenantId, spaceId, flags)
    const deletion = await deleteSpace(connection, request, progressTo(context.note), context.signal)
    const { events, isResumed } = deletion
    const value = { tenant_id: tenantId, space_id: spaceId, events, resumed: isResumed }
    const line = `Deleted the space ${spaceId}, which had ${counted(events, 'event')}.`
    print(context, flags, value, [isResumed ? `${line} An earlier attempt had begun with it.` : line])
  })
}

const found = ({ withDatabase }: CommandContext, tenant: string, spaceId: string) =>
  withDatabase(async (database) => {
    const tenantId = await requireTenantId(database, tenant)
    const space = await database.spaces.findAsSystem(tenantId, spaceId)
    if (!space) throw unknown('Space')
    return { tenantId, eventCount: space.eventCount }
  })
