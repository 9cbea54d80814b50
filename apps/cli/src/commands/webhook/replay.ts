import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { eventsIn, webhooksOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import { oneWebhook } from '../../show/webhook.js'

export const replay: Verb = (webhook) => {
  webhook
    .command('replay')
    .description('Resend what came after an event, or skip what is waiting')
    .argument('<webhook>', 'Webhook ID')
    .argument('<start>', 'The event to resume after, beginning, or now')
    .option('--yes', 'Skip the confirmation prompt')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces webhook replay last 019b8d3f-103c-7283-846d-74ed890a37aa
  $ spaces webhook replay last beginning
  $ spaces webhook replay last now`,
    )
    .action(
      withNamed(webhooksOf, async (client, cli, webhook_id, wanted, { yes }) => {
        const isWord = wanted === 'now' || wanted === 'beginning'
        const { space_id } = isWord ? { space_id: null } : await client.webhook.get.query({ webhook_id })
        const since = space_id === null ? wanted : await fullId(cli, eventsIn(client, space_id), wanted)
        await cli.prompt.confirm(questionFor(webhook_id, since), yes)
        cli.out.result(await client.webhook.replay.mutate({ webhook_id, since }), oneWebhook)
      }),
    )
}

const questionFor = (webhook_id: string, since: string) =>
  since === 'now'
    ? `Skip everything that ${webhook_id} has not sent yet?`
    : `Have ${webhook_id} resend everything ${since === 'beginning' ? 'from the beginning' : `after ${since}`}?`
