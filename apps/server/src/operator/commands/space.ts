import { deleteSpace } from '@collab-spaces/db'
import { unknown } from '@collab-spaces/domain'
import type { Command } from 'commander'
import type { CommandContext } from '../context.js'
import { type ErasureFlags, erasing, requestOf, requireYes } from '../erasure.js'
import { print } from '../output.js'
import { counted, progressTo } from '../progress.js'
import { requireScope } from '../scope.js'

export function spaceCommands(space: Command, context: CommandContext): void {
  erasing(
    space
      .command('delete <tenant-id> <space-id>')
      .description('Delete a space for good, with all its events; if it is interrupted, run it again to continue'),
  ).action((tenantId: string, spaceId: string, flags: ErasureFlags) => erase(context, tenantId, spaceId, flags))
}

async function erase(context: CommandContext, tenantId: string, spaceId: string, flags: ErasureFlags): Promise<void> {
  const { scope, eventCount } = await found(context, tenantId, spaceId)
  requireYes(flags, `permanently deletes the space ${spaceId} and its ${counted(eventCount, 'event')}`)
  await context.withConnection(async (connection) => {
    const request = requestOf(scope, spaceId, flags)
    const deletion = await deleteSpace(connection, request, progressTo(context.note), context.signal)
    if (!deletion) throw unknown('Space')
    const { events, isResumed } = deletion
    const value = { tenant_id: scope, space_id: spaceId, events, resumed: isResumed }
    const line = `Deleted the space ${spaceId}, which had ${counted(events, 'event')}.`
    print(context, flags, value, [isResumed ? `${line} An earlier attempt had begun with it.` : line])
  })
}

const found = ({ withDatabase }: CommandContext, tenantId: string, spaceId: string) =>
  withDatabase(async (database) => {
    const scope = await requireScope(database, tenantId)
    const space = await database.spaces.find(scope, spaceId)
    if (!space) throw unknown('Space')
    return { scope, eventCount: space.eventCount }
  })
