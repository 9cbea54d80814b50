import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { webhooksOf } from '../../id/kind.js'
import { webhookWithAttempts } from '../../show/webhook.js'
import { withClient } from '../../start.js'

export const show: Verb = (webhook) => {
  webhook
    .command('show')
    .description('Show a webhook: how far behind it is, and its last attempts')
    .argument('<webhook>', 'Webhook ID')
    .action(
      withClient(async (client, cli, given) => {
        const webhook_id = await fullId(cli, webhooksOf(client), given)
        await cli.out.longResult(await client.webhook.get.query({ webhook_id }), webhookWithAttempts)
      }),
    )
}
