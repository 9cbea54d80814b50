import type { Verb } from '../../command.js'
import { requireChange } from '../../failure.js'
import { changeActor } from '../../file/picture.js'
import { fullId } from '../../id/full-id.js'
import { agentsOf } from '../../id/kind.js'
import { clearable, jsonObject } from '../../options/parsers.js'
import { oneActor } from '../../show/actor.js'
import { start } from '../../start.js'

export const edit: Verb = (agent) => {
  agent
    .command('edit')
    .description('Change the name, the title, the picture or the metadata of an agent')
    .argument('<agent>', 'Agent, by name or ID')
    .option('--name <name>', 'New name')
    .option('--title <text>', 'What it does, in one line; "" removes it', clearable)
    .option('--picture <file>', 'Its picture: a PNG, JPEG or WebP of up to 64 KiB')
    .option('--no-picture', 'Remove its picture')
    .option('--metadata <json>', 'New metadata, as a JSON object', jsonObject)
    .option('--no-metadata', 'Remove the metadata')
    .action(
      start(async (cli, given, { name: display_name, title, picture, metadata: newMetadata }) => {
        const metadata = newMetadata === false ? null : newMetadata
        const change = { display_name, title, metadata }
        requireChange({ ...change, picture }, '--name, --title, --picture, --no-picture, --metadata or --no-metadata')
        const client = await cli.client()
        const actor_id = await fullId(cli, agentsOf(client), given)
        cli.out.result(await changeActor(client, { actor_id, ...change }, picture), oneActor)
      }),
    )
}
