import { redactEvent } from '@collab-spaces/db'
import { unknown } from '@collab-spaces/domain'
import type { Command } from 'commander'
import type { CommandContext } from '../context.js'
import { type ErasureFlags, erasing, requestOf, requireErasure } from '../erasure.js'
import { print } from '../output.js'
import { requireScope } from '../scope.js'

export function eventCommands(event: Command, context: CommandContext): void {
  erasing(
    event
      .command('redact <tenant-id> <space-id> <event-id>')
      .description('Erase what an event says for good; that somebody spoke there, and when, stays'),
  ).action(async (tenantId: string, spaceId: string, eventId: string, flags: ErasureFlags) => {
    const scope = await context.withDatabase((database) => requireScope(database, tenantId))
    requireErasure(flags, `permanently erases the text and the metadata of event ${eventId}`)
    await context.withConnection(async (connection) => {
      const redacted = await redactEvent(connection, { ...requestOf(scope, spaceId, flags), eventId })
      if (redacted === null) throw unknown('Event')
      const value = { tenant_id: scope, space_id: spaceId, event_id: eventId, redacted_before: !redacted }
      print(context, flags, value, [`Event ${eventId} ${redacted ? 'is redacted' : 'was redacted before'}.`])
    })
  })
}
