import type { Verb } from '../../command.js'
import { expiresOption, OF_AGENTS, scopeOption, spaceOption } from '../../options/limits.js'
import { jsonObject } from '../../options/parsers.js'
import { withClient } from '../../start.js'
import { styled } from '../../terminal/styled.js'

export const register: Verb = (agent) => {
  agent
    .command('register')
    .description('Register an agent and print its API key, which is shown once')
    .argument('<name>', 'Name of the agent')
    .option('--about <text>', 'What the agent does')
    .option('--metadata <json>', 'Metadata, as a JSON object', jsonObject)
    .addOption(scopeOption('its key', OF_AGENTS))
    .addOption(spaceOption('Limit its key to this space'))
    .addOption(expiresOption('its key'))
    .addHelpText(
      'after',
      `
Only the key goes to standard output, so you can save it where the agent finds it:
  $ spaces agent register Scout --about "Finds places to go" > scout.key`,
    )
    .action(
      withClient(
        async (
          client,
          cli,
          display_name,
          { about: agent_profile, metadata, scope, space: space_ids, expires: expires_at },
        ) => {
          const agent = await client.actor.register.mutate({
            actor_type: 'agent',
            display_name,
            agent_profile,
            metadata,
            scopes: scope,
            space_ids,
            expires_at,
          })
          cli.out.note(styled`Registered ${agent.display_name} (${agent.actor_id}). Its API key, shown once:`)
          cli.out.result(agent, ({ api_key }) => api_key)
          cli.out.note('Pass it to the agent as SPACES_TOKEN, and keep it secret.')
        },
      ),
    )
}
