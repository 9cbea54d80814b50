import type { Verb } from '../../command.js'
import { jsonObject } from '../../options/json-object.js'
import { start } from '../../start.js'
import { cleanLine } from '../../terminal/clean.js'

export const register: Verb = (agent) => {
  agent
    .command('register')
    .description('Register an agent that you sponsor; prints its key, this once')
    .argument('<name>', 'what it is called')
    .option('--about <text>', 'what it does')
    .option('--metadata <json>', 'whatever else there is to say of it: a JSON object', jsonObject)
    .addHelpText(
      'after',
      `
Only the key is printed on standard output, so that it can be kept where the agent finds it:
  $ spaces agent register Scout --about "Finds places to go" > scout.key`,
    )
    .action(
      start(async (cli, display_name, { about: agent_profile, metadata }) => {
        const client = await cli.client()
        const agent = await client.actor.register.mutate({
          actor_type: 'agent',
          display_name,
          agent_profile,
          metadata,
        })
        cli.out.note(`Registered ${cleanLine(agent.display_name)} (${agent.actor_id}). Its key, shown this once:`)
        cli.out.result(agent, ({ api_key }) => api_key)
        cli.out.note('Give it to the agent as SPACES_TOKEN, and to nobody else.')
      }),
    )
}
