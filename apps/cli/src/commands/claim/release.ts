import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { claimsIn } from '../../id/kind.js'
import { withClient } from '../../start.js'

export const release: Verb = (claim) => {
  claim
    .command('release')
    .description('Give a claim back')
    .argument('<space>', 'Space ID')
    .argument('<claim>', 'Claim ID')
    .action(
      withClient(async (client, cli, space_id, given) => {
        const claim_id = await fullId(cli, claimsIn(client, space_id), given)
        cli.out.result(await client.workClaim.release.mutate({ space_id, claim_id }), () => `Released ${claim_id}.`)
      }),
    )
}
