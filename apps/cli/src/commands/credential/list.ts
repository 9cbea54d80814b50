import type { Verb } from '../../command.js'
import { listOfCredentials } from '../../show/credential.js'
import { start } from '../../start.js'
import { holderId } from './holder.js'

export const list: Verb = (credential) => {
  credential
    .command('list')
    .description('List the API key and the tokens of somebody, and what ends with each')
    .argument('[member]', 'Your agent or, if you are an admin, a member of your tenant; by default yourself')
    .action(
      start(async (cli, given) => {
        const client = await cli.client()
        const actor_id = await holderId(cli, client, given)
        await cli.out.longResult(await client.credential.list.query({ actor_id }), listOfCredentials)
      }),
    )
}
