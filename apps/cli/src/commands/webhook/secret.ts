import type { RouterOutputs } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import type { Text } from '../../terminal/styled.js'

/** Prints the secret of a webhook, alone on standard output, and says what to do with it, and then. */
export function tellSecret(cli: Cli, webhook: RouterOutputs['webhook']['create'], next: Text): void {
  cli.out.result(webhook, ({ secret }) => secret)
  cli.out.note(
    '\nThe secret is not shown again. Keep it where your receiver finds it, such as in its environment, and out of its code.',
  )
  cli.out.note(next)
}
