import type { RouterOutputs } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { incomingIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { lines } from '../../terminal/styled.js'

/** Prints the address and the secret of an incoming webhook, alone on standard output. */
export function tellIncomingSecret(cli: Cli, webhook: RouterOutputs['incomingWebhook']['create']): void {
  cli.out.result(webhook, ({ url, secret }) => lines([url, secret]))
  cli.out.note('\nThe secret is not shown again. Give both to the tool that sends, and keep them out of its code.')
}

export const rotateSecret: Verb = (incoming) => {
  incoming
    .command('rotate-secret')
    .description('Replace the secret of an incoming webhook and print the new one, which is shown once')
    .argument('<space>', 'Space ID')
    .argument('<incoming>', 'Name or ID of the incoming webhook')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamedIn(incomingIn, async (client, cli, space_id, incoming_webhook_id, { yes }) => {
        await cli.prompt.confirm(`Replace the secret of ${incoming_webhook_id}? The old one ends at once.`, yes)
        const id = { space_id, incoming_webhook_id }
        tellIncomingSecret(cli, await client.incomingWebhook.rotateSecret.mutate(id))
      }),
    )
}
