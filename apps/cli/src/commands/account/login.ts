import { SpacesError } from '@collab-spaces/client'
import { possibleToken } from '../../account/token.js'
import type { Define } from '../../command.js'
import { notSignedIn } from '../../failure.js'
import { givenSecret } from '../../input/secret.js'
import { start } from '../../start.js'
import { keepAccount, nameToKeep } from './keep.js'

export const define: Define = (login) => {
  login
    .addHelpText(
      'after',
      `
The token is asked for, or read from standard input. An agent's API key will do as well.

Examples:
  $ spaces login
  $ spaces login --url https://spaces.example.org --profile work < token.txt`,
    )
    .action(
      start(async (cli) => {
        const url = await cli.urlToSignIn()
        const given = await givenSecret(cli, { message: `Your token on ${url}`, flag: 'The token' })
        const token = possibleToken(given, 'Not signed in')
        const actor = await cli.clientFor({ url, token }).actor.me.query().catch(explainUnknown(url))
        await keepAccount(cli, actor, { url, token, profile: await nameToKeep(cli, url, actor.actor_id) })
      }),
    )
}

const explainUnknown = (url: string) => (error: unknown) => {
  if (!(error instanceof SpacesError) || error.status !== 401) throw error
  throw notSignedIn(
    `${url} does not know this token, or not any more`,
    'Make one where you are signed in: spaces token create NAME. New here: spaces signup',
  )
}
