import { hostname } from 'node:os'
import type { Client } from '@collab-spaces/client'
import { refuseTaken } from '../../account/profiles.js'
import type { Define } from '../../command.js'
import { explain } from '../../explain.js'
import { Failure } from '../../failure.js'
import { givenSecret } from '../../input/secret.js'
import { start } from '../../start.js'
import { keepAccount, nameToKeep } from './keep.js'

export const define: Define = (signup) => {
  signup
    .option('--name <name>', 'how others see you')
    .option('--email <address>', 'your e-mail address')
    .option('--code', 'you have an invite into a tenant: its code is asked for, or read from standard input')
    .addHelpText(
      'after',
      `
You get a token named after this machine. It is kept here, and nowhere else.

Examples:
  $ spaces signup
  $ spaces signup --url https://spaces.example.org --name Ada --email ada@example.org`,
    )
    .action(
      start(async (cli, { name, email, code }) => {
        const url = await cli.urlToSignIn()
        const profile = await nameToKeep(cli, url)
        // Whoever signs up is somebody new. Better told now than when there is an account that nobody can use.
        refuseTaken(profile, (await cli.profiles.read()).profiles[profile], {})
        const human = {
          display_name: name ?? (await cli.prompt.text({ message: `Your name on ${url}`, flag: '--name' })),
          email: email ?? (await cli.prompt.text({ message: 'Your e-mail address', flag: '--email' })),
          code: code && (await givenSecret(cli, { message: 'The code of the invite', flag: 'The code' })),
        }
        const { api_key, ...actor } = await cli.clientFor({ url }).actor.register.mutate(human)
        const token = await makeToken(cli.clientFor({ url, token: api_key }), actor.actor_id)
        await keepAccount(cli, actor, { url, token, profile })
        cli.out.note('\nOpen a space: spaces space create ID --join\nSee those there are: spaces space list')
      }),
    )
}

/** A token of this machine. The key that makes it is not kept: a token can be told from others, and revoked alone. */
async function makeToken(client: Client, actor_id: string): Promise<string> {
  try {
    const { token } = await client.token.create.mutate({ name: machineName() })
    return token
  } catch (error) {
    const { exitCode, detail } = explain(error)
    throw new Failure(
      exitCode,
      `You were registered as ${actor_id}, but no token could be made: ${detail}`,
      'Nothing was kept, so nobody can use that account. Sign up again; an invite is used up, and takes a new one.',
    )
  }
}

const LONGEST_TOKEN_NAME = 64

const machineName = () => Array.from(hostname()).slice(0, LONGEST_TOKEN_NAME).join('') || 'a machine without a name'
