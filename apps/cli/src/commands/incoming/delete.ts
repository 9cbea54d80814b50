import type { Verb } from '../../command.js'
import { incomingIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'

export const remove: Verb = (incoming) => {
  incoming
    .command('delete')
    .description('Delete an incoming webhook; its agent stays, and posts no more')
    .argument('<space>', 'Space ID')
    .argument('<incoming>', 'Name or ID of the incoming webhook')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamedIn(incomingIn, async (client, cli, space_id, incoming_webhook_id, { yes }) => {
        await cli.prompt.confirm(`Delete ${incoming_webhook_id}? What is sent to it will be refused.`, yes)
        const deleted = await client.incomingWebhook.delete.mutate({ space_id, incoming_webhook_id })
        cli.out.result(deleted, () => `Deleted ${incoming_webhook_id}.`)
      }),
    )
}
