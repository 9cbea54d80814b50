import type { Verb } from '../../command.js'
import { listOfIncoming } from '../../show/incoming.js'
import { withClient } from '../../start.js'

export const list: Verb = (incoming) => {
  incoming
    .command('list')
    .description('List the incoming webhooks of a space, oldest first')
    .argument('<space>', 'Space ID')
    .action(
      withClient(async (client, cli, space_id) => {
        const webhooks = await client.incomingWebhook.list.query({ space_id })
        await cli.out.longResult(webhooks, listOfIncoming)
      }),
    )
}
