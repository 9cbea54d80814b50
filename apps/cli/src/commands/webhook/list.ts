import type { Verb } from '../../command.js'
import { listOfWebhooks } from '../../show/webhook.js'
import { withClient } from '../../start.js'

export const list: Verb = (webhook) => {
  webhook
    .command('list')
    .description('List your webhooks and those of your agents, oldest first')
    .option('--tenant', 'All webhooks of your tenant (admins only)')
    .action(
      withClient(async (client, cli, { tenant }) => {
        const webhooks = await client.rest('webhook.list', { tenant })
        await cli.out.longResult(webhooks, listOfWebhooks)
        await cli.numbers({ noun: 'webhook' }, webhooks, ({ webhook_id }) => webhook_id)
      }),
    )
}
