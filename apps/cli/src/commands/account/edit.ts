import type { Verb } from '../../command.js'
import { oneActor } from '../../show/actor.js'
import { withClient } from '../../start.js'

export const edit: Verb = (account) => {
  account
    .command('edit')
    .description('Change your name')
    .requiredOption('--name <name>', 'New name (required)')
    .action(
      withClient(async (client, cli, { name: display_name }) => {
        const { actor_id } = await client.actor.me.query()
        const actor = await client.actor.change.mutate({ actor_id, display_name })
        const { profile } = await cli.account()
        if (profile !== null) await cli.profiles.update(profile, { display_name: actor.display_name })
        cli.out.result(actor, oneActor)
      }),
    )
}
