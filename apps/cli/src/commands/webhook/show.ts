import type { Verb } from '../../command.js'
import { webhooksOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import { webhookWithAttempts } from '../../show/webhook.js'

export const show: Verb = (webhook) => {
  webhook
    .command('show')
    .description('Show a webhook: how far behind it is, and its last attempts')
    .argument('<webhook>', 'Webhook ID')
    .action(
      withNamed(webhooksOf, async (client, cli, webhook_id) => {
        await cli.out.longResult(await client.webhook.get.query({ webhook_id }), webhookWithAttempts)
      }),
    )
}
