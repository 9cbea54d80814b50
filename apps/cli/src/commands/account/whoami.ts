import type { Define } from '../../command.js'
import { signedIn } from '../../show/account.js'
import { start } from '../../start.js'

export const define: Define = (whoami) => {
  whoami.action(
    start(async (cli) => {
      const account = await cli.account()
      const { url, profile } = account
      const actor = await cli.clientFor(account).actor.me.query()
      cli.out.result(
        { ...actor, url: cli.nowAt(url), profile, token_from: profile === null ? 'environment' : 'profile' },
        signedIn,
      )
    }),
  )
}
