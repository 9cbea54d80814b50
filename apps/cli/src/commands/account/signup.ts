import { hostname } from 'node:os'
import type { Client } from '@collab-spaces/client'
import { requireFree } from '../../account/profiles.js'
import type { Define } from '../../command.js'
import { explain } from '../../explain.js'
import { Failure } from '../../failure.js'
import { givenSecret } from '../../input/secret.js'
import { start } from '../../start.js'
import { profileName, saveAccount } from './save.js'

export const define: Define = (signup) => {
  signup
    .option('--name <name>', 'Your name')
    .option('--email <address>', 'Your email address')
    .option('--code', 'Use an invite code, from a prompt or standard input')
    .addHelpText(
      'after',
      `
Prompts for what is missing. The account gets a token named after this machine, which is saved here.

Examples:
  $ spaces signup
  $ spaces signup --url https://spaces.example.org --name Ada --email ada@example.org`,
    )
    .action(
      start(async (cli, { name, email, code }) => {
        const url = await cli.urlToSignIn()
        const profile = await profileName(cli, url)
        // An account that is created cannot be saved under a name that is taken, so this is checked first.
        requireFree(profile, (await cli.profiles.read()).profiles[profile], {})
        const human = {
          display_name: name ?? (await cli.prompt.text({ message: `Your name on ${url}`, required: '--name' })),
          email: email ?? (await cli.prompt.text({ message: 'Your email address', required: '--email' })),
          code: code && (await givenSecret(cli, { message: 'Invite code', required: 'An invite code' })),
        }
        const { api_key, ...actor } = await cli.clientFor({ url }).actor.register.mutate(human)
        const token = await makeToken(cli.clientFor({ url, token: api_key }), actor.actor_id)
        await saveAccount(cli, actor, { url, token, profile })
        cli.out.note('\nCreate a space: spaces space create ID --join\nList spaces: spaces space list')
      }),
    )
}

/** A token for this machine. The API key is not saved: a token can be told from others, and revoked by itself. */
async function makeToken(client: Client, actor_id: string): Promise<string> {
  try {
    const { token } = await client.token.create.mutate({ name: machineName() })
    return token
  } catch (error) {
    const { exitCode, detail } = explain(error)
    throw new Failure(
      exitCode,
      `Created account ${actor_id}, but no token for it: ${detail}`,
      'Nothing was saved, so that account cannot be used. Sign up again; if you used an invite, ask for a new one.',
    )
  }
}

const LONGEST_TOKEN_NAME = 64

const machineName = () => Array.from(hostname()).slice(0, LONGEST_TOKEN_NAME).join('') || 'unnamed machine'
