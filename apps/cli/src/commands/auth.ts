import { nounWith, type Verb } from '../command.js'
import { start } from '../start.js'

export const token: Verb = (auth) => {
  auth
    .command('token')
    .description('Print the token of the account in use')
    .addHelpText(
      'after',
      `
It acts as you: give it to programs only, and keep it secret.

Examples:
  $ SPACES_TOKEN=$(spaces auth token) ./my-program
  $ curl -H "Authorization: Bearer $(spaces auth token)" http://127.0.0.1:8080/api/actors/me`,
    )
    .action(
      start(async (cli) => {
        const { token } = await cli.account()
        cli.out.result({ token }, () => token)
      }),
    )
}

export const define = nounWith(token)
