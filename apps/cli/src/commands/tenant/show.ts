import { ownTenantId } from '../../account/own.js'
import type { Verb } from '../../command.js'
import { oneTenantOrNone } from '../../show/tenant.js'
import { withClient } from '../../start.js'

export const show: Verb = (tenant) => {
  tenant
    .command('show')
    .description('Show a tenant; with --json, null if you are in none')
    .argument('[tenant]', 'Tenant ID (default: your tenant)')
    .action(
      withClient(async (client, cli, given) => {
        const tenant_id = given ?? (await ownTenantId(client))
        cli.out.result(tenant_id === null ? null : await client.tenant.get.query({ tenant_id }), oneTenantOrNone)
      }),
    )
}
