import type { Database } from '@collab-spaces/db'
import { Scanner } from './scanner.js'

/** Ends the presence of people whose views of the page no longer report. Each end is signaled once. */
export class PresenceKeeper extends Scanner {
  constructor(
    notifications: Pick<Database['notifications'], 'expire'>,
    bus: Pick<Database['bus'], 'publish'>,
    onFault: (error: unknown) => void,
  ) {
    super(async () => {
      const { owners, more } = await notifications.expire()
      for (const { tenantId, actorId } of owners) bus.publish({ kind: 'presence', tenantId, actorId })
      return more
    }, onFault)
  }
}
