import { Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { agentsOf } from '../../id/kind.js'
import { typeOption } from '../../options/webhook.js'
import { start } from '../../start.js'
import { tellSecret } from './secret.js'

export const create: Verb = (webhook) => {
  webhook
    .command('create')
    .description('Have a server told of what happens, and print the secret that signs; it is shown once')
    .argument('<url>', 'Where requests are sent to, over https')
    .addOption(new Option('--space <space>', 'Space that it is for').conflicts(['inbox', 'inboxOf']))
    .addOption(new Option('--inbox', 'It is for your own inbox').conflicts('inboxOf'))
    .option('--inbox-of <agent>', 'It is for the inbox of your agent, by name or ID')
    .addOption(typeOption())
    .option('--full', 'Send all that happened, and not only its IDs')
    .option('--from <start>', 'Where to begin: now (default), beginning, or the event after which it begins')
    .addHelpText(
      'after',
      `
Only the secret goes to standard output, so you can pipe it to where the receiver finds it:
  $ (umask 077; spaces webhook create https://example.org/spaces --space plans > webhook.secret)
  $ spaces webhook create https://example.org/wake --inbox-of Scout`,
    )
    .action(
      start(async (cli, url, { space: space_id, inbox, inboxOf, type: types, full, from }) => {
        if (space_id === undefined && !inbox && inboxOf === undefined) {
          throw usage('--space, --inbox or --inbox-of is required')
        }
        const client = await cli.client()
        const inbox_of = inbox
          ? (await client.actor.me.query()).actor_id
          : inboxOf && (await fullId(cli, agentsOf(client), inboxOf))
        const payload = full ? 'full' : undefined
        const created = await client.webhook.create.mutate({ url, space_id, inbox_of, types, payload, from })
        tellSecret(cli, created, `Send a first request: spaces webhook test ${created.webhook_id}`)
      }),
    )
}
