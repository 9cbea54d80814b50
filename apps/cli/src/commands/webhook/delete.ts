import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { webhooksOf } from '../../id/kind.js'
import { withClient } from '../../start.js'

export const remove: Verb = (webhook) => {
  webhook
    .command('delete')
    .description('Delete a webhook')
    .argument('<webhook>', 'Webhook ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withClient(async (client, cli, given, { yes }) => {
        const webhook_id = await fullId(cli, webhooksOf(client), given)
        await cli.prompt.confirm(`Delete ${webhook_id}? Whatever it has not sent yet will never be sent.`, yes)
        cli.out.result(await client.webhook.delete.mutate({ webhook_id }), () => `Deleted ${webhook_id}.`)
      }),
    )
}
