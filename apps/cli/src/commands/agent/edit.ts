import type { Verb } from '../../command.js'
import { requireChange } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { agentsOf } from '../../id/kind.js'
import { clearable, jsonObject } from '../../options/parsers.js'
import { oneActor } from '../../show/actor.js'
import { start } from '../../start.js'

export const edit: Verb = (agent) => {
  agent
    .command('edit')
    .description('Change the name, the title or the metadata of an agent')
    .argument('<agent>', 'Agent, by name or ID')
    .option('--name <name>', 'New name')
    .option('--title <text>', 'What it does, in one line; "" removes it', clearable)
    .option('--metadata <json>', 'New metadata, as a JSON object', jsonObject)
    .option('--no-metadata', 'Remove the metadata')
    .action(
      start(async (cli, given, { name: display_name, title, metadata: newMetadata }) => {
        const metadata = newMetadata === false ? null : newMetadata
        requireChange({ display_name, title, metadata }, '--name, --title, --metadata or --no-metadata')
        const client = await cli.client()
        const actor_id = await fullId(cli, agentsOf(client), given)
        cli.out.result(await client.actor.change.mutate({ actor_id, display_name, title, metadata }), oneActor)
      }),
    )
}
