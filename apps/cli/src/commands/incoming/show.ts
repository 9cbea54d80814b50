import type { Verb } from '../../command.js'
import { incomingIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { incomingWithDeliveries } from '../../show/incoming.js'

export const show: Verb = (incoming) => {
  incoming
    .command('show')
    .description('Show an incoming webhook with its last deliveries')
    .argument('<space>', 'Space ID')
    .argument('<incoming>', 'Name or ID of the incoming webhook')
    .action(
      withNamedIn(incomingIn, async (client, cli, space_id, incoming_webhook_id) => {
        const webhook = await client.incomingWebhook.get.query({ space_id, incoming_webhook_id })
        await cli.out.longResult(webhook, incomingWithDeliveries)
      }),
    )
}
