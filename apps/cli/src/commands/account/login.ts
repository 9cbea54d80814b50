import { SpacesError } from '@collab-spaces/client'
import { signInWithBrowser } from '../../account/browser-sign-in.js'
import { signInWithDevice } from '../../account/device-sign-in.js'
import { checkedToken } from '../../account/token.js'
import type { Cli } from '../../cli.js'
import type { Define } from '../../command.js'
import { notSignedIn, usage } from '../../failure.js'
import { givenSecret } from '../../input/pipe.js'
import { start } from '../../start.js'
import { profileName, saveAccount } from './save.js'
import { serverToSignIn } from './server.js'

export const define: Define = (login) => {
  login
    .option('--web', 'Sign in with a browser on this machine')
    .option('--device', 'Sign in with a browser on another machine')
    .addHelpText(
      'after',
      `
Prompts for a personal access token or an agent's API key, or reads it from standard input. With --web or --device
you need none: you let the command in on the page, where you can sign in with whatever the server offers.

Examples:
  $ spaces login
  $ spaces login --web
  $ spaces login --url https://spaces.example.org --profile work < token.txt`,
    )
    .action(
      start(async (cli, { web, device }) => {
        if (web && device) throw usage('--web and --device: choose one')
        const url = await serverToSignIn(cli)
        const signIn = web ? signInWithBrowser : device ? signInWithDevice : signInWithToken
        const { token, actor } = await signIn(cli, url)
        const now = cli.nowAt(url)
        await saveAccount(cli, actor, { url: now, token, profile: await profileName(cli, now, actor.actor_id) })
      }),
    )
}

async function signInWithToken(cli: Cli, url: string) {
  const given = await givenSecret(cli, { message: `Your token for ${url}`, required: 'A token' })
  const token = checkedToken(given, 'Not signed in')
  return { token, actor: await cli.clientFor({ url, token }).actor.me.query().catch(explainUnknown(url)) }
}

const explainUnknown = (url: string) => (error: unknown) => {
  if (!(error instanceof SpacesError) || error.status !== 401) throw error
  throw notSignedIn(
    `${url} does not accept this token`,
    'Create one where you are signed in: spaces token create NAME. New here? Run: spaces signup',
  )
}
