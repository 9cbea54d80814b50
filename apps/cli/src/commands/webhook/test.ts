import type { Verb } from '../../command.js'
import { failed } from '../../failure.js'
import { webhooksOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import { oneAttempt } from '../../show/webhook.js'

export const test: Verb = (webhook) => {
  webhook
    .command('test')
    .description('Send a test request now, or ask the receiver again, and fail if it is not accepted')
    .argument('<webhook>', 'Webhook ID')
    .action(
      withNamed(webhooksOf, async (client, cli, webhook_id) => {
        const attempt = await client.webhook.test.mutate({ webhook_id })
        cli.out.result(attempt, oneAttempt)
        await cli.out.finish()
        if (!attempt.ok)
          throw failed('The request was not accepted', `See the last attempts: spaces webhook show ${webhook_id}`)
      }),
    )
}
