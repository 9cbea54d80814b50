import type { Verb } from '../../command.js'
import { listOfCredentials } from '../../show/credential.js'
import { withClient } from '../../start.js'
import { holderId } from './holder.js'

export const list: Verb = (credential) => {
  credential
    .command('list')
    .description('List the API key and the tokens of an actor, and what ends with each')
    .argument('[member]', 'Your agent or, if you are an admin, a member of your tenant; by default yourself')
    .action(
      withClient(async (client, cli, given) => {
        const actor_id = await holderId(cli, client, given)
        const credentials = await client.credential.list.query({ actor_id })
        await cli.out.longResult(credentials, listOfCredentials)
        await cli.numbers({ noun: 'credential' }, credentials, ({ credential_id }) => credential_id)
      }),
    )
}
