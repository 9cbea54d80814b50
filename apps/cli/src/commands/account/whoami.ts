import type { Define } from '../../command.js'
import { sponsorNameOf } from '../../inbox/announce-run.js'
import { signedIn } from '../../show/account.js'
import { start } from '../../start.js'

export const define: Define = (whoami) => {
  whoami.action(
    start(async (cli) => {
      const account = await cli.account()
      const { url, profile } = account
      const client = cli.clientFor(account)
      const actor = await client.actor.me.query()
      const sponsor_name = cli.out.json ? undefined : await sponsorNameOf(client, actor)
      cli.out.result(
        {
          ...actor,
          ...(sponsor_name && { sponsor_name }),
          url: cli.nowAt(url),
          profile,
          token_from: profile === null ? 'environment' : 'profile',
        },
        signedIn,
      )
    }),
  )
}
