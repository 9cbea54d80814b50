import type { RouterOutputs } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { webhooksOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import type { Text } from '../../terminal/styled.js'

/** Prints the secret of a webhook, alone on standard output, and says what to do with it, and then. */
export function tellSecret(cli: Cli, webhook: RouterOutputs['webhook']['create'], next: Text): void {
  cli.out.result(webhook, ({ secret }) => secret)
  cli.out.note(
    '\nThe secret is not shown again. Keep it where your receiver finds it, such as in its environment, and out of its code.',
  )
  cli.out.note(next)
}

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
