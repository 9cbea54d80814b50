import type { Verb } from '../../command.js'
import { webhooksOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import { tellSecret } from './secret.js'

export const rotateSecret: Verb = (webhook) => {
  webhook
    .command('rotate-secret')
    .description('Replace the secret of a webhook and print the new one, which is shown once')
    .argument('<webhook>', 'Webhook ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamed(webhooksOf, async (client, cli, webhook_id, { yes }) => {
        await cli.prompt.confirm(`Replace the secret of ${webhook_id}? The old one still signs for 24 hours.`, yes)
        const rotated = await client.webhook.rotateSecret.mutate({ webhook_id })
        tellSecret(cli, rotated, 'For 24 hours, requests are signed with both: give it to your receiver by then.')
      }),
    )
}
