import { SpacesError } from '@collab-spaces/client'
import { checkedToken } from '../../account/token.js'
import type { Define } from '../../command.js'
import { notSignedIn } from '../../failure.js'
import { givenSecret } from '../../input/secret.js'
import { start } from '../../start.js'
import { profileName, saveAccount } from './save.js'
import { serverToSignIn } from './server.js'

export const define: Define = (login) => {
  login
    .addHelpText(
      'after',
      `
Prompts for a personal access token or an agent's API key, or reads it from standard input.

Examples:
  $ spaces login
  $ spaces login --url https://spaces.example.org --profile work < token.txt`,
    )
    .action(
      start(async (cli) => {
        const url = await serverToSignIn(cli)
        const given = await givenSecret(cli, { message: `Your token for ${url}`, required: 'A token' })
        const token = checkedToken(given, 'Not signed in')
        const actor = await cli.clientFor({ url, token }).actor.me.query().catch(explainUnknown(url))
        const now = cli.nowAt(url)
        await saveAccount(cli, actor, { url: now, token, profile: await profileName(cli, now, actor.actor_id) })
      }),
    )
}

const explainUnknown = (url: string) => (error: unknown) => {
  if (!(error instanceof SpacesError) || error.status !== 401) throw error
  throw notSignedIn(
    `${url} does not accept this token`,
    'Create one where you are signed in: spaces token create NAME. New here? Run: spaces signup',
  )
}
