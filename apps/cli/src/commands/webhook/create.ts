import { Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { agentsOf } from '../../id/kind.js'
import { listedOf } from '../../options/parsers.js'
import { unconfirmed } from '../../show/webhook.js'
import { start } from '../../start.js'
import { tellSecret } from './secret.js'

const TYPES = ['events.appended', 'decision.changed', 'attention.raised'] as const
const types = listedOf(TYPES, `Allowed choices are ${TYPES.join(', ')}.`)

/** The payload of a webhook. The choices are for completion; a repeatable option has to check them itself. */
export const typeOption = (otherwise = 'everything') =>
  new Option('--type <type>', `What to send; repeatable (default: ${otherwise})`).choices(TYPES).argParser(types)

export const create: Verb = (webhook) => {
  webhook
    .command('create')
    .description('Create a webhook and print its signing secret, which is shown once')
    .argument('<url>', 'Where requests are sent, over https')
    .addOption(new Option('--space <space>', 'Send what happens in this space').conflicts(['inbox', 'inboxOf']))
    .addOption(new Option('--inbox', 'Send what comes into your own inbox').conflicts('inboxOf'))
    .option('--inbox-of <agent>', 'Send what comes into the inbox of your agent, by name or ID')
    .addOption(typeOption())
    .option('--full', 'Send the full content instead of IDs only')
    .option('--from <start>', 'Where to start: now (default), beginning, or the event to start after')
    .addHelpText(
      'after',
      `
The receiver is asked first whether it wants requests: it has to answer a webhook.challenge with
the challenge that is in it. Until then nothing else is sent; "spaces webhook test" asks again.

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
        const confirmed = `Its receiver has answered the challenge. Send a test: spaces webhook test ${created.webhook_id}`
        tellSecret(cli, created, unconfirmed(created) ?? confirmed)
      }),
    )
}
