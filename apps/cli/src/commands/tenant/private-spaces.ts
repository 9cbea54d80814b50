import { requireOwnTenantId } from '../../account/own.js'
import type { Verb } from '../../command.js'
import { listOfPrivateSpaces } from '../../show/tenant.js'
import { withClient } from '../../start.js'

export const privateSpaces: Verb = (tenant) => {
  tenant
    .command('private-spaces')
    .description('List the private spaces of your tenant, as an admin: whose they are, and how large')
    .addHelpText(
      'after',
      '\nWhat is in them is not shown. To see it, make yourself an owner: the space and the security log say so.\n' +
        '  $ spaces participant add SPACE YOUR-NAME --owner\n' +
        'Conversations stay between their participants.',
    )
    .action(
      withClient(async (client, cli) => {
        const tenant_id = await requireOwnTenantId(client)
        const spaces = await client.rest('tenant.privateSpaces', { tenant_id })
        const members = cli.out.json ? [] : await client.rest('tenant.members', { tenant_id })
        await cli.out.longResult(spaces, (spaces, style) => listOfPrivateSpaces(spaces, members, style))
      }),
    )
}
