import type { Verb } from '../../command.js'
import { claimsIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { actorsIn } from '../../input/actors.js'
import { wholeNumber } from '../../options/whole-number.js'
import { oneClaim } from '../../show/claim.js'

export const handOver: Verb = (claim) => {
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
