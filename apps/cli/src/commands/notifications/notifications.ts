import type { Define } from '../../command.js'
import { notificationsView } from '../../show/notifications.js'
import { withClient } from '../../start.js'
import { off } from './off.js'
import { set } from './set.js'

export const define: Define = (notifications) => {
  notifications
    .addHelpText(
      'after',
      `
Browsers are added on the page, under Notifications.

Examples:
  $ spaces notifications
  $ spaces notifications set --email ada@example.org --quiet 22:00-07:00
  $ spaces notifications off`,
    )
    .action(withClient(async (client, cli) => cli.out.result(await client.notification.get.query(), notificationsView)))
  for (const verb of [set, off]) verb(notifications)
}
