import type { Verb } from '../../command.js'
import { claimsIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { wholeNumber } from '../../options/whole-number.js'
import { oneClaim } from '../../show/claim.js'

export const takeOver: Verb = (claim) => {
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
