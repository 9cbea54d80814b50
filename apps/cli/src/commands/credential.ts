import type { Client } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { nounWith, type Verb } from '../command.js'
import { fullId } from '../id/full-id.js'
import { agentsOf, credentialsOf, membersOf } from '../id/kind.js'
import { linesOfEnded, listOfCredentials, withEnded } from '../show/credential.js'
import { withClient } from '../start.js'
import { lines } from '../terminal/styled.js'

/** The holder of the credentials: the caller, unless a member of the tenant is named, or an agent. */
async function holderId(cli: Cli, client: Client, given: string | undefined): Promise<string> {
  const me = await client.actor.me.query()
  if (given === undefined) return me.actor_id
  return fullId(cli, me.tenant_id === null ? agentsOf(client) : membersOf(client), given)
}

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

export const revoke: Verb = (credential) => {
  credential
    .command('revoke')
    .description('Revoke a credential, with what was made with it')
    .argument('<credential>', 'Token, by name or ID, or `api_key`, from `spaces credential list`')
    .option('--of <member>', 'Your agent or, if you are an admin, a member of your tenant; by default yourself')
    .option('--yes', 'Skip the confirmation prompt')
    .addHelpText(
      'after',
      '\nWhoever has no API key any more gets another one: an agent from its sponsor (spaces agent rotate-key), a\n' +
        'human by signing in with a token (spaces account rotate-key), or from the operator.',
    )
    .action(
      withClient(async (client, cli, given, { of, yes }) => {
        const actor_id = await holderId(cli, client, of)
        const credential_id = await fullId(cli, credentialsOf(client, actor_id), given)
        if (!yes) await tellEnds(cli, client, actor_id, credential_id)
        await cli.prompt.confirm(`Revoke ${credential_id} of ${actor_id}? It stops working immediately.`, yes)
        const revoked = await client.credential.revoke.mutate({ actor_id, credential_id })
        cli.out.result(revoked, ({ ended }) => withEnded(`Revoked ${credential_id}.`, ended))
      }),
    )
}

/** Tells a person what ends with a credential, before they revoke it. */
export async function tellEnds(cli: Cli, client: Client, actor_id: string, credential_id: string): Promise<void> {
  const credentials = await client.credential.list.query({ actor_id })
  const ends = credentials.find((one) => one.credential_id === credential_id)?.ends
  if (ends && ends.count > 0) cli.out.note(lines(['This ends with it:', ...linesOfEnded(ends)]))
}

export const define = nounWith(list, revoke)
