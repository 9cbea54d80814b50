import { Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { requireChange } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { webhooksOf } from '../../id/kind.js'
import { oneWebhook, unconfirmed } from '../../show/webhook.js'
import { start } from '../../start.js'
import { typeOption } from './create.js'

export const update: Verb = (webhook) => {
  webhook
    .command('update')
    .description('Change the URL of a webhook or what it sends, or disable or enable it')
    .argument('<webhook>', 'Webhook ID')
    .option('--to <url>', 'Where requests are sent, over https')
    .addOption(typeOption('as before'))
    .addOption(new Option('--payload <payload>', 'IDs only, or the full content').choices(['thin', 'full']))
    .addOption(new Option('--disable', 'Send nothing until it is enabled').conflicts('enable'))
    .option('--enable', 'Resume where it stopped')
    .action(
      start(async (cli, given, { to: url, type: types, payload, disable, enable }) => {
        const disabled = disable ? true : enable ? false : undefined
        const change = { url, types, payload, disabled }
        requireChange(change, '--to, --type, --payload, --disable or --enable')
        const client = await cli.client()
        const webhook_id = await fullId(cli, webhooksOf(client), given)
        const changed = await client.webhook.change.mutate({ webhook_id, ...change })
        cli.out.result(changed, oneWebhook)
        const advice = url === undefined ? null : unconfirmed(changed)
        if (advice !== null) cli.out.note(advice)
      }),
    )
}
