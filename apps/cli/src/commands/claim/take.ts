import { Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { decisionsIn, eventsIn } from '../../id/kind.js'
import { wholeNumber } from '../../options/whole-number.js'
import { oneClaim } from '../../show/claim.js'
import { start } from '../../start.js'

export const take: Verb = (claim) => {
  claim
    .command('take')
    .description('Claim an event, a decision, or anything else by a name')
    .argument('<space>', 'Space ID')
    .addOption(new Option('--event <event>', 'Event to work on').conflicts(['decision', 'key']))
    .addOption(new Option('--decision <decision>', 'Decision to work on').conflicts('key'))
    .option('--key <name>', 'Anything else')
    .option('--ttl <seconds>', 'After how long it lapses unless you renew it: 10 to 3600 (default: 300)', wholeNumber)
    .option('--note <text>', 'What you are about to do')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces claim take plans --event last --note "Reading the log"
  $ spaces claim take plans --key "book the train" --ttl 600`,
    )
    .action(
      start(async (cli, space_id, { event, decision, key, ttl: ttl_s, note }) => {
        const client = await cli.client()
        if ((event ?? decision ?? key) === undefined) throw usage('Say what to claim: --event, --decision or --key')
        const event_id = event && (await fullId(cli, eventsIn(client, space_id), event))
        const decision_id = decision && (await fullId(cli, decisionsIn(client, space_id), decision))
        const claim = await client.claim.take.mutate({ space_id, event_id, decision_id, key, ttl_s, note })
        cli.out.result(claim, oneClaim)
      }),
    )
}
