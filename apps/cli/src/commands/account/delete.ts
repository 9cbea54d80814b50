import type { Client } from '@collab-spaces/client'
import type { Verb } from '../../command.js'
import { withClient } from '../../start.js'
import { cleanLine } from '../../terminal/clean.js'
import { styled } from '../../terminal/styled.js'

export const deleteAccount: Verb = (account) => {
  account
    .command('delete')
    .description('Delete your account and your agents; their events stay')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withClient(async (client, cli, { yes }) => {
        const { profile } = await cli.account()
        const me = await client.actor.me.query()
        if (!yes) await cli.prompt.confirm(await question(client, me.display_name), yes)
        const answer = await client.actor.delete.mutate({ actor_id: me.actor_id })
        if (profile !== null) await cli.profiles.remove(profile)
        cli.out.result(answer, () => styled`Deleted ${me.display_name} (${me.actor_id}).`)
      }),
    )
}

async function question(client: Client, name: string): Promise<string> {
  const agents = await client.actor.myAgents.query()
  const names = [name, ...agents.map(({ display_name }) => display_name)].map(cleanLine)
  return `Delete ${new Intl.ListFormat('en').format(names)}? All keys and tokens stop working immediately, for good.`
}
