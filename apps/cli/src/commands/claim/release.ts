import type { Verb } from '../../command.js'
import { claimsIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'

export const release: Verb = (claim) => {
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
