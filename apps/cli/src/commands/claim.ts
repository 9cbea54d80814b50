import { Option } from '@commander-js/extra-typings'
import { nounWith, type Verb } from '../command.js'
import { actorsIn } from '../event/participant.js'
import { usage } from '../failure.js'
import { fullId } from '../id/full-id.js'
import { claimsIn, decisionsIn, eventsIn } from '../id/kind.js'
import { withNamedIn } from '../id/named.js'
import { wholeNumber } from '../options/parsers.js'
import { listOfClaims, oneClaim } from '../show/claim.js'
import { start, withClient } from '../start.js'

const take: Verb = (claim) => {
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

export const list: Verb = (claim) => {
  claim
    .command('list')
    .description('List who works on what, newest first')
    .argument('<space>', 'Space ID')
    .action(
      withClient(async (client, cli, space_id) => {
        const claims = await client.rest('claim.list', { space_id })
        await cli.out.longResult(claims, (claims, style) => listOfClaims(claims, space_id, style))
        await cli.numbers({ noun: 'claim', space: space_id }, claims, ({ claim_id }) => claim_id)
      }),
    )
}

const renew: Verb = (claim) => {
  claim
    .command('renew')
    .description('Keep a claim longer')
    .argument('<space>', 'Space ID')
    .argument('<claim>', 'Claim ID')
    .option('--ttl <seconds>', 'For how long from now: 10 to 3600 (default: 300)', wholeNumber)
    .action(
      withNamedIn(claimsIn, async (client, cli, space_id, claim_id, { ttl: ttl_s }) => {
        cli.out.result(await client.claim.renew.mutate({ space_id, claim_id, ttl_s }), oneClaim)
      }),
    )
}

const release: Verb = (claim) => {
  claim
    .command('release')
    .description('Give a claim back')
    .argument('<space>', 'Space ID')
    .argument('<claim>', 'Claim ID')
    .action(
      withNamedIn(claimsIn, async (client, cli, space_id, claim_id) => {
        cli.out.result(await client.claim.release.mutate({ space_id, claim_id }), () => `Released ${claim_id}.`)
      }),
    )
}

const handOver: Verb = (claim) => {
  claim
    .command('hand-over')
    .description('Hand a claim over to another actor, who is told')
    .argument('<space>', 'Space ID')
    .argument('<claim>', 'Claim ID')
    .requiredOption('--to <actor>', 'Participant, by name or ID')
    .option('--ttl <seconds>', 'How long it has to accept it: 10 to 3600 (default: 300)', wholeNumber)
    .action(
      withNamedIn(claimsIn, async (client, cli, space_id, claim_id, { to: recipient, ttl: ttl_s }) => {
        const [to = recipient] = await actorsIn(client, space_id, [recipient])
        cli.out.result(await client.claim.handOver.mutate({ space_id, claim_id, to, ttl_s }), oneClaim)
      }),
    )
}

const takeOver: Verb = (claim) => {
  claim
    .command('take-over')
    .description('Take a claim from its holder, as an owner of the space')
    .argument('<space>', 'Space ID')
    .argument('<claim>', 'Claim ID')
    .option('--ttl <seconds>', 'After how long it lapses unless you renew it: 10 to 3600 (default: 300)', wholeNumber)
    .action(
      withNamedIn(claimsIn, async (client, cli, space_id, claim_id, { ttl: ttl_s }) => {
        cli.out.result(await client.claim.takeOver.mutate({ space_id, claim_id, ttl_s }), oneClaim)
      }),
    )
}

export const define = nounWith(take, list, renew, release, handOver, takeOver)
