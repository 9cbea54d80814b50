import type { Actor } from '@collab-spaces/client'
import type { Account } from '../../account/account.js'
import { hostOf } from '../../account/url.js'
import type { Cli } from '../../cli.js'
import { usage } from '../../failure.js'
import { issued } from '../../input/form.js'
import { signedIn } from '../../show/account.js'

/** The profile to save an account as: the one that is asked for, the one it already has, or its server's name. */
export async function profileName(cli: Cli, url: string, actor_id?: string): Promise<string> {
  const { current, profiles } = await cli.profiles.read()
  const isTheirs = (name: string) => profiles[name]?.url === url && profiles[name].actor_id === actor_id
  const [saved] = [current ?? '', ...Object.keys(profiles)].filter(isTheirs)
  const name = cli.namedProfile ?? saved ?? hostOf(url)
  if (/^[^\s\p{C}]{1,100}$/u.test(name)) return name
  throw usage('--profile: use 1 to 100 characters, and no spaces')
}

/** Saves an account, switches to it, and shows it. */
export async function saveAccount(cli: Cli, actor: Actor, account: Account & { profile: string }): Promise<void> {
  const { url, profile } = account
  const { display_name } = actor
  const [actor_id, token] = [issued('actor ID', actor.actor_id), issued('token', account.token)]
  await cli.profiles.saveAndUse(profile, { url, token, actor_id, display_name })
  cli.out.result({ ...actor, url, profile, token_from: 'profile' as const }, signedIn)
  if (cli.settings.token !== undefined)
    cli.out.note('\nSPACES_TOKEN is set and takes precedence over this account. To use the account: unset SPACES_TOKEN')
}
