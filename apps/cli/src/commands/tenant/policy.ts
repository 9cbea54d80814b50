import { Option } from '@commander-js/extra-typings'
import { requireOwnTenantId } from '../../account/own.js'
import type { Verb } from '../../command.js'
import { agentScopes, SCOPES } from '../../options/limits.js'
import { CLAIM_POLICIES, tenantPolicy } from '../../show/tenant-policy.js'
import { withClient } from '../../start.js'

export const policy: Verb = (tenant) => {
  tenant
    .command('policy')
    .description('Show what holds in all spaces of your tenant, or change it as an admin')
    .addOption(new Option('--attribution <policy>', 'The allowed attributions').choices(CLAIM_POLICIES))
    .addOption(
      new Option(
        '--agent-scope <scope>',
        `Scope that new agents get, and at most: ${SCOPES}, or all; repeatable`,
      ).argParser(agentScopes),
    )
    .addOption(
      new Option(
        '--webhook-hosts <hosts>',
        'Hosts that webhooks and push messages may go to, separated by commas, or any',
      ).argParser((text) => (text === 'any' ? null : text.split(',').map((host) => host.trim()))),
    )
    .addHelpText(
      'after',
      `
--attribution takes:
  free        any speaker
  no_members  any name but that of another member
  none        only one's own name

Members who are no admins give their agents no other scopes than --agent-scope names. all removes this rule.

Example:
  $ spaces tenant policy --attribution none
  $ spaces tenant policy --agent-scope read --agent-scope write
  $ spaces tenant policy --webhook-hosts 'hooks.example.org,*.example.com'`,
    )
    .action(
      withClient(async (client, cli, { attribution, agentScope: agent_scopes, webhookHosts: webhook_hosts }) => {
        const tenant_id = await requireOwnTenantId(client)
        const change = { attribution, agent_scopes, webhook_hosts }
        const policy = await (Object.values(change).every((value) => value === undefined)
          ? client.tenantPolicy.get.query({ tenant_id })
          : client.tenantPolicy.set.mutate({ tenant_id, ...change }))
        cli.out.result(policy, tenantPolicy)
      }),
    )
}
