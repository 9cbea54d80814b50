import type { Verb } from '../../command.js'
import { claimsIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { wholeNumber } from '../../options/whole-number.js'
import { oneClaim } from '../../show/claim.js'

export const renew: Verb = (claim) => {
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
