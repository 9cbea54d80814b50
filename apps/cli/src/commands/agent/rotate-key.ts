import type { Verb } from '../../command.js'
import { agentsOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import { expiresOption, OF_AGENTS, scopeOption, spaceOption } from '../../options/limits.js'
import { styled } from '../../terminal/styled.js'

/** The default of a limit: one that is given takes the place of all old ones. */
const asBefore = (otherwise: string) => `as before, or ${otherwise} if another limit is given`

export const rotateKey: Verb = (agent) => {
  agent
    .command('rotate-key')
    .description('Replace the API key of an agent and print the new one, which is shown once')
    .argument('<agent>', 'Agent, by name or ID')
    .option('--force', 'Replace it even if the agent is connected elsewhere, and lock it out there')
    .option('--installation <id>', 'Your installation, where the agent is connected, or will be with --force')
    .addOption(scopeOption('the new key', asBefore(OF_AGENTS)))
    .addOption(spaceOption('Limit the new key to this space', asBefore('all spaces')))
    .addOption(expiresOption('the new key', asBefore('never')))
    .option('--yes', 'Skip the confirmation prompt')
    .addHelpText(
      'after',
      `
The new key has the limits of the old one, unless --scope, --space or --expires is given: then it has exactly these.

Example:
  $ spaces agent rotate-key Scout --scope read --scope write --scope settle`,
    )
    .action(
      withNamed(
        agentsOf,
        async (client, cli, actor_id, { force, installation: installation_id, scope, space, expires, yes }) => {
          await cli.prompt.confirm(`Replace the API key of ${actor_id}? The old one stops working immediately.`, yes)
          const limits = { scopes: scope, space_ids: space, expires_at: expires }
          const agent = await client.actor.rotateKey.mutate({ actor_id, force, installation_id, ...limits })
          cli.out.note(styled`The new API key of ${agent.display_name}, shown once:`)
          cli.out.result(agent, ({ api_key }) => api_key)
        },
      ),
    )
}
