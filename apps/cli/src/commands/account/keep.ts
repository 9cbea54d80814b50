import type { Actor } from '@collab-spaces/client'
import type { Account } from '../../account/account.js'
import { hostOf } from '../../account/url.js'
import type { Cli } from '../../cli.js'
import { usage } from '../../failure.js'
import { signedIn } from '../../show/account.js'

/** The name to keep an account under: the one that is asked for, the one it is kept under already, or its server's. */
export async function nameToKeep(cli: Cli, url: string, actor_id?: string): Promise<string> {
  const { current, profiles } = await cli.profiles.read()
  const isTheirs = (name: string) => profiles[name]?.url === url && profiles[name].actor_id === actor_id
  const [kept] = [current ?? '', ...Object.keys(profiles)].filter(isTheirs)
  const name = cli.namedProfile ?? kept ?? hostOf(url)
  if (/^[^\s\p{C}]{1,100}$/u.test(name)) return name
  throw usage('--profile: a name has 1 to 100 characters, and no spaces')
}

/** Keeps an account as the one that is used from now on, and says who that is. */
export async function keepAccount(cli: Cli, actor: Actor, account: Account & { profile: string }): Promise<void> {
  const { url, token, profile } = account
  const { actor_id, display_name } = actor
  await cli.profiles.keep(profile, { url, token, actor_id, display_name })
  cli.out.result({ ...actor, url, profile, token_from: 'profile' as const }, signedIn)
  if (cli.hasTokenInEnvironment) cli.out.note('\nSPACES_TOKEN is set, and goes before it: unset SPACES_TOKEN')
}
