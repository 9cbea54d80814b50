import { type Client, createClient } from '@collab-spaces/client'
import { type Account, defaultUrl, findAccount, namedUrl, type Wanted } from './account/account.js'
import { Profiles } from './account/profiles.js'
import { isExposed } from './account/url.js'
import type { Settings } from './settings.js'
import { Output } from './terminal/output.js'
import { Prompt } from './terminal/prompt.js'

/** The options of every command. */
export interface GlobalFlags extends Wanted {
  readonly json?: true | undefined
  /** False with `--no-color`. */
  readonly color?: boolean
  /** False with `--no-pager`. */
  readonly pager?: boolean
}

/** The context of a command. */
export class Cli {
  readonly out: Output
  readonly prompt: Prompt
  readonly profiles: Profiles
  #hasWarned = false

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

  /** The server to sign in to: the one that is named, or that of the default account. */
  async urlToSignIn(): Promise<string> {
    const url = namedUrl(this.flags, this.settings) ?? (await defaultUrl(this.flags, this.settings, this.profiles))
    this.#warnIfExposed(url)
    return url
  }

  /** The profile that a flag or the environment names. */
  get namedProfile(): string | undefined {
    return this.flags.profile ?? this.settings.profile
  }

  /** The same context for another account. */
  as(wanted: Wanted): Cli {
    return new Cli({ ...this.flags, ...wanted }, this.settings)
  }

  /** Whether the environment has a token, which takes precedence over saved ones. */
  get hasTokenInEnvironment(): boolean {
    return this.settings.token !== undefined
  }

  /** The account in use. Fails, with what to do about it, when nobody is signed in. */
  async account(): Promise<Account> {
    const account = await findAccount(this.flags, this.settings, this.profiles)
    this.#warnIfExposed(account.url)
    return account
  }

  /** A client for the account in use. */
  async client(): Promise<Client> {
    return this.clientFor(await this.account())
  }

  /** A client for a server; without a token, only for what is open to everybody. */
  clientFor({ url, token }: { readonly url: string; readonly token?: string }): Client {
    let isTold = false
    const onRetry = () => {
      if (!isTold) this.out.note(`No answer from ${url} yet. Trying again…`)
      isTold = true
    }
    return createClient({ url, token, onRetry })
  }

  #warnIfExposed(url: string): void {
    if (this.#hasWarned || !isExposed(url)) return
    this.#hasWarned = true
    this.out.note(`Warning: ${url} is not encrypted, so your token can be read on the way. Use https.`)
  }
}
