import type { Verb } from '../../command.js'
import { listOfClaims } from '../../show/claim.js'
import { withClient } from '../../start.js'

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
