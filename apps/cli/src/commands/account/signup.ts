import { SpacesError } from '@collab-spaces/client'
import { machineName } from '../../account/browser-sign-in.js'
import { requireFree } from '../../account/profiles.js'
import type { Cli } from '../../cli.js'
import type { Define } from '../../command.js'
import { explain } from '../../explain.js'
import { issued } from '../../input/form.js'
import { givenInviteCode } from '../../input/pipe.js'
import { start } from '../../start.js'
import { StyledText, styled } from '../../terminal/styled.js'
import { requireNewFile, saveKey } from './key-file.js'
import { profileName, saveAccount } from './save.js'
import { serverToSignIn } from './server.js'

export const define: Define = (signup) => {
  signup
    .option('--name <name>', 'Your name')
    .option('--email <address>', 'Your email address')
    .option('--code', 'Use an invite code, from a prompt or standard input')
    .option('--key-file <file>', 'New file for your API key, with which you can always sign in again')
    .addHelpText(
      'after',
      `
Prompts for what is missing, and nothing if --name and --email are there. The account gets a token named after this machine, which is saved here. It also has an API
key, for the day that you lose the token: the key is shown nowhere, and saved only in the file that you name.

Examples:
  $ spaces signup
  $ spaces signup --url https://spaces.example.org --name Ada --email ada@example.org --key-file ada.key`,
    )
    .action(
      start(async (cli, { name, email, code, keyFile }) => {
        const url = await serverToSignIn(cli)
        const profile = await profileName(cli, url)
        // An account that is created cannot be saved under a name or in a file that is taken, so this is checked first.
        requireFree(profile, (await cli.profiles.read()).profiles[profile], {})
        if (keyFile !== undefined) requireNewFile(keyFile)
        const { api_key, ...actor } = await register(cli, url, { display_name: name, email, code })
        const token = await makeToken(cli, url, api_key)
        await saveAccount(cli, actor, { url: cli.nowAt(url), token, profile })
        // A person who has given everything with flags is asked nothing.
        await saveKey(cli, issued('token', api_key), keyFile, {
          allowsPrompt: name === undefined || email === undefined,
        })
        cli.out.note('\nCreate a space: spaces space create ID --join\nList spaces: spaces space list')
      }),
    )
}

/** The fields of a new account, so far as they are known. */
interface SignupInput {
  readonly display_name: string | undefined
  readonly email: string | undefined
  readonly code: true | undefined
}

/** Registers a human, who is asked again for what the server does not accept. */
async function register(cli: Cli, url: string, { display_name, email, code }: SignupInput) {
  const ask = {
    display_name: () => cli.prompt.text({ message: `Your name on ${url}`, required: '--name' }),
    email: () => cli.prompt.text({ message: 'Your email address', required: '--email' }),
    code: () => givenInviteCode(cli),
  }
  let human = {
    display_name: display_name ?? (await ask.display_name()),
    email: email ?? (await ask.email()),
    code: code && (await ask.code()),
  }
  for (;;) {
    try {
      return await cli.clientFor({ url }).actor.register.mutate(human)
    } catch (error) {
      const mistaken = mistakeIn(error)
      if (mistaken === undefined || !cli.prompt.canAsk) throw error
      cli.out.note(StyledText.line(explain(error).detail))
      human = { ...human, [mistaken]: await ask[mistaken]() }
    }
  }
}

/** Which of the answers the server does not accept. */
function mistakeIn(error: unknown): 'display_name' | 'email' | 'code' | undefined {
  if (!(error instanceof SpacesError)) return undefined
  if (error.detail === 'Invite not found') return 'code'
  return (['display_name', 'email'] as const).find((field) => error.detail.startsWith(`${field}: `))
}

/** A token for this machine: it can be told from others, and revoked by itself. Failing that, the key. */
async function makeToken(cli: Cli, url: string, apiKey: string): Promise<string> {
  try {
    const { token } = await cli.clientFor({ url, token: apiKey }).token.create.mutate({ name: machineName() })
    return token
  } catch (error) {
    cli.out.note(styled`No token could be made: ${explain(error).detail}. Your API key is saved in its place.\n`)
    return apiKey
  }
}
