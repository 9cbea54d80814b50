import { requireOwnTenantId } from '../../account/own.js'
import type { Verb } from '../../command.js'
import { listOfMembers } from '../../show/tenant.js'
import { withClient } from '../../start.js'

export const members: Verb = (tenant) => {
  tenant
    .command('members')
    .description('List the members of your tenant')
    .action(
      withClient(async (client, cli) => {
        const tenant_id = await requireOwnTenantId(client)
        const members = await client.rest('tenant.members', { tenant_id })
        await cli.out.longResult(members, listOfMembers)
        await cli.numbers({ noun: 'member' }, members, ({ actor_id }) => actor_id)
      }),
    )
}
