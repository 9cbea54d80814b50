import type { Verb } from '../../command.js'
import { listOfProfiles } from '../../show/profile.js'
import { start } from '../../start.js'

export const list: Verb = (profile) => {
  profile
    .command('list')
    .description('List the accounts on this machine; * marks the one in use')
    .action(
      start(async (cli) => {
        const { current, profiles } = await cli.profiles.read()
        const accounts = Object.entries(profiles).map(([name, { url, actor_id, display_name }]) => ({
          profile: name,
          current: name === current,
          url,
          actor_id,
          display_name,
        }))
        cli.out.result(accounts, listOfProfiles)
      }),
    )
}
