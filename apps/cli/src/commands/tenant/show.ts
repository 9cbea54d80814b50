import type { Client } from '@collab-spaces/client'
import type { Verb } from '../../command.js'
import { oneTenantOrNone } from '../../show/tenant.js'
import { start } from '../../start.js'

export const show: Verb = (tenant) => {
  tenant
    .command('show')
    .description('The tenant that you are in; with --json null when it is none')
    .argument('[tenant]', 'its id, if it is to be that one')
    .action(
      start(async (cli, given) => {
        const client = await cli.client()
        const tenant_id = given ?? (await ownTenantId(client))
        cli.out.result(tenant_id === null ? null : await client.tenant.get.query({ tenant_id }), oneTenantOrNone)
      }),
    )
}

const ownTenantId = async (client: Client) => (await client.actor.me.query()).tenant_id
