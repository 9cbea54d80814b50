import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { jsonObject } from '../../options/json-object.js'
import { oneActor } from '../../show/actor.js'
import { start } from '../../start.js'

export const edit: Verb = (agent) => {
  agent
    .command('edit')
    .description('Change the name or the metadata of an agent')
    .argument('<agent>', 'its id')
    .option('--name <name>', 'what it is called')
    .option('--metadata <json>', 'whatever else there is to say of it, instead of what was said', jsonObject)
    .option('--no-metadata', 'remove the metadata')
    .action(
      start(async (cli, actor_id, { name: display_name, metadata: given }) => {
        const metadata = given === false ? null : given
        if (display_name === undefined && metadata === undefined) {
          throw usage('There is nothing to change', 'Give --name, --metadata or --no-metadata')
        }
        const client = await cli.client()
        cli.out.result(await client.actor.change.mutate({ actor_id, display_name, metadata }), oneActor)
      }),
    )
}
