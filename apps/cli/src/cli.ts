import { type Client, createClient } from '@collab-spaces/client'
import { type Account, findAccount, namedUrl, type Wanted } from './account/account.js'
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

  /** The server that a flag or the environment names, for who is not signed in yet. */
  get namedUrl(): string | undefined {
    return namedUrl(this.flags, this.settings)
  }

  /** The account that a flag or the environment names. */
  get namedProfile(): string | undefined {
    return this.flags.profile ?? this.settings.profile
  }

  /** Fails, with what to do about it, when nobody is signed in. */
  account(): Promise<Account> {
    return findAccount(this.flags, this.settings, this.profiles)
  }

  /** Every operation of the service, as who is signed in. */
  async client(): Promise<Client> {
    const { url, token } = await this.account()
    return createClient({ url, token })
  }
}
