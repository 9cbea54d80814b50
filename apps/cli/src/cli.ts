import { type Client, createClient } from '@collab-spaces/client'
import { type Account, findAccount, namedUrl, usualUrl, type Wanted } from './account/account.js'
import { Profiles } from './account/profiles.js'
import type { Settings } from './settings.js'
import { Output } from './terminal/output.js'
import { Prompt } from './terminal/prompt.js'

/** The flags that every command takes. */
export interface GlobalFlags extends Wanted {
  readonly json?: true | undefined
  /** False for `--no-color`. */
  readonly color?: boolean
  /** False for `--no-pager`. */
  readonly pager?: boolean
}

/** What a command works with. */
export class Cli {
  readonly out: Output
  readonly prompt: Prompt
  readonly profiles: Profiles

  constructor(
    private readonly flags: GlobalFlags,
    private readonly settings: Settings,
  ) {
    const json = flags.json ?? false
    this.out = new Output({
      json,
      coloured: Boolean(process.stdout.isTTY) && !settings.plain && flags.color !== false,
      pager: flags.pager === false ? null : settings.pager,
    })
    this.prompt = new Prompt(Boolean(process.stdin.isTTY && process.stderr.isTTY) && !json)
    this.profiles = new Profiles(settings.configDirectory)
  }

  /** The server for who is not signed in yet: the one that is named, or where the account is that is used otherwise. */
  async urlToSignIn(): Promise<string> {
    return namedUrl(this.flags, this.settings) ?? (await usualUrl(this.flags, this.settings, this.profiles))
  }

  /** The account that a flag or the environment names. */
  get namedProfile(): string | undefined {
    return this.flags.profile ?? this.settings.profile
  }

  /** The same for somebody else, or somewhere else. */
  as(wanted: Wanted): Cli {
    return new Cli({ ...this.flags, ...wanted }, this.settings)
  }

  /** Whether the environment has a token, which goes before those that are kept. */
  get hasTokenInEnvironment(): boolean {
    return this.settings.token !== undefined
  }

  /** Fails, with what to do about it, when nobody is signed in. */
  account(): Promise<Account> {
    return findAccount(this.flags, this.settings, this.profiles)
  }

  /** Every operation of the service, as who is signed in. */
  async client(): Promise<Client> {
    return this.clientFor(await this.account())
  }

  /** Every operation of a server, as whoever the token stands for; without one only what is open to everybody. */
  clientFor({ url, token }: { readonly url: string; readonly token?: string }): Client {
    let isTold = false
    const onRetry = () => {
      if (!isTold) this.out.note(`No answer from ${url} yet. Trying again…`)
      isTold = true
    }
    return createClient({ url, token, onRetry })
  }
}
