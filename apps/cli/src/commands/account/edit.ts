import type { Verb } from '../../command.js'
import { requireChange } from '../../failure.js'
import { changeActor } from '../../file/picture.js'
import { clearable } from '../../options/parsers.js'
import { oneActor } from '../../show/actor.js'
import { withClient } from '../../start.js'

export const edit: Verb = (account) => {
  account
    .command('edit')
    .description('Change your name, what you do, your time zone, and your picture')
    .option('--name <name>', 'New name')
    .option('--title <text>', 'What you do, in one line; "" removes it', clearable)
    .option('--time-zone <zone>', 'Your time zone, such as Europe/Berlin; "" removes it', clearable)
    .option('--picture <file>', 'Your picture: a PNG, JPEG or WebP of up to 64 KiB')
    .option('--no-picture', 'Remove your picture')
    .action(
      withClient(async (client, cli, { name: display_name, title, timeZone: time_zone, picture }) => {
        const change = { display_name, title, time_zone }
        requireChange({ ...change, picture }, '--name, --title, --time-zone, --picture or --no-picture')
        const { actor_id } = await client.actor.me.query()
        const actor = await changeActor(client, { actor_id, ...change }, picture)
        const { profile } = await cli.account()
        if (profile !== null) await cli.profiles.update(profile, { display_name: actor.display_name })
        cli.out.result(actor, oneActor)
      }),
    )
}
