import type { Verb } from '../../command.js'
import { webhooksOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'

export const remove: Verb = (webhook) => {
  webhook
    .command('delete')
    .description('Delete a webhook')
    .argument('<webhook>', 'Webhook ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamed(webhooksOf, async (client, cli, webhook_id, { yes }) => {
        await cli.prompt.confirm(`Delete ${webhook_id}? Whatever it has not sent yet will never be sent.`, yes)
        cli.out.result(await client.webhook.delete.mutate({ webhook_id }), () => `Deleted ${webhook_id}.`)
      }),
    )
}
