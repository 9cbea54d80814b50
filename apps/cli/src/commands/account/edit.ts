import type { Verb } from '../../command.js'
import { requireChange } from '../../failure.js'
import { clearable } from '../../options/parsers.js'
import { oneActor } from '../../show/actor.js'
import { withClient } from '../../start.js'

export const edit: Verb = (account) => {
  account
    .command('edit')
    .description('Change your name, what you do, and your time zone')
    .option('--name <name>', 'New name')
    .option('--title <text>', 'What you do, in one line; "" removes it', clearable)
    .option('--time-zone <zone>', 'Your time zone, such as Europe/Berlin; "" removes it', clearable)
    .action(
      withClient(async (client, cli, { name: display_name, title, timeZone: time_zone }) => {
        const change = { display_name, title, time_zone }
        requireChange(change, '--name, --title or --time-zone')
        const { actor_id } = await client.actor.me.query()
        const actor = await client.actor.change.mutate({ actor_id, ...change })
        const { profile } = await cli.account()
        if (profile !== null) await cli.profiles.update(profile, { display_name: actor.display_name })
        cli.out.result(actor, oneActor)
      }),
    )
}
