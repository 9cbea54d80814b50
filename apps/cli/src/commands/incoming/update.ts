import { Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { requireChange } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { incomingIn } from '../../id/kind.js'
import { oneIncoming } from '../../show/incoming.js'
import { start } from '../../start.js'
import { PERSON, peopleFrom } from './people.js'

export const update: Verb = (incoming) => {
  incoming
    .command('update')
    .description('Change the template or the people of an incoming webhook, or disable or enable it')
    .argument('<space>', 'Space ID')
    .argument('<incoming>', 'Name or ID of the incoming webhook')
    .option('--template <text>', 'Text of a message of Standard Webhooks')
    .option(...PERSON)
    .addOption(new Option('--disable', 'Refuse all that is sent to it').conflicts('enable'))
    .option('--enable', 'Take what is sent to it again')
    .action(
      start(async (cli, space_id, given, { template, person, disable, enable }) => {
        const change = { template, disabled: disable ? true : enable ? false : undefined }
        requireChange({ ...change, person }, '--template, --person, --disable or --enable')
        const client = await cli.client()
        const incoming_webhook_id = await fullId(cli, incomingIn(client, space_id), given)
        const { people } = await client.incomingWebhook.get.query({ space_id, incoming_webhook_id })
        const changed = await client.incomingWebhook.change.mutate({
          space_id,
          incoming_webhook_id,
          ...change,
          people: person && (await peopleFrom(client, space_id, person, people)),
        })
        cli.out.result(changed, oneIncoming)
      }),
    )
}
