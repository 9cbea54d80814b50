import { type Client, createClient } from '@collab-spaces/client'
import { type Account, defaultUrl, findAccount, namedUrl, type Wanted } from './account/account.js'
import { Profiles } from './account/profiles.js'
import { isExposed } from './account/url.js'
import { Aliases } from './alias/aliases.js'
import { Contact, timeoutMsOf } from './contact.js'
import { usage } from './failure.js'
import type { Kind } from './id/kind.js'
import { Shown } from './id/shown.js'
import type { Settings } from './settings.js'
import type { JsonForm } from './terminal/json.js'
import { Output } from './terminal/output.js'
import { Prompt } from './terminal/prompt.js'

/** How long a call goes on trying, beside the time that the server may stay silent. */
const RETRIES_MS = 30_000

/** The options of every command. */
export interface GlobalFlags extends Wanted {
  /** Names of fields, for only these; an empty text for all. */
  readonly json?: string | undefined
  readonly jq?: string | undefined
  readonly template?: string | undefined
  /** Seconds a server may stay silent. */
  readonly timeout?: string | undefined
  /** Try again even if the server has never answered. */
  readonly retry?: true | undefined
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
  readonly shown: Shown
  readonly aliases: Aliases
  #hasWarned = false

  constructor(
    private readonly flags: GlobalFlags,
    private readonly settings: Settings,
  ) {
    const json = jsonForm(flags)
    this.out = new Output({
      json,
      coloured: Boolean(process.stdout.isTTY) && !settings.plain && flags.color !== false,
      pager: flags.pager === false ? null : settings.pager,
    })
    this.prompt = new Prompt(Boolean(process.stdin.isTTY && process.stderr.isTTY) && json === null)
    this.profiles = new Profiles(settings.configDirectory, settings.hasKeyring)
    this.shown = new Shown(settings.stateDirectory)
    this.aliases = new Aliases(settings.configDirectory)
  }

  /** Remembers what a person sees line by line. Scripts, and what is piped, see no numbers. */
  async numbers<T>(
    kind: Pick<Kind, 'noun' | 'space'>,
    things: readonly T[],
    idOf: (thing: T) => string,
  ): Promise<void> {
    if (process.stdout.isTTY && !this.out.json) await this.shown.keep(kind, things.map(idOf))
  }

  /** The server that a flag or the environment names. */
  get namedUrl(): string | undefined {
    return namedUrl(this.flags, this.settings)
  }

  /** The server of the account that is used by default. */
  defaultUrl(): Promise<string> {
    return defaultUrl(this.flags, this.settings, this.profiles)
  }

  /** The editor for long texts. */
  get editor(): string {
    return this.settings.editor
  }

  /** The command that opens a page. */
  get browser(): string {
    return this.settings.browser
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
    this.warnIfExposed(account.url)
    return account
  }

  /** The environment in which a program that calls `spaces` uses an account. */
  environmentFor({ url, token, profile }: Account): NodeJS.ProcessEnv {
    const { SPACES_TOKEN: _, ...environment } = this.settings.environment
    const as = profile === null ? { SPACES_TOKEN: token } : { SPACES_PROFILE: profile }
    return { ...environment, SPACES_URL: url, ...as }
  }

  /** A client for the account in use. `workMs` is how much longer than usual the server may need. */
  async client(workMs = 0): Promise<Client> {
    return this.clientFor(await this.account(), workMs)
  }

  /** A client for a server; without a token, only for what is open to everybody. */
  clientFor({ url, token }: { readonly url: string; readonly token?: string }, workMs = 0): Client {
    const contact = this.contactFor(workMs)
    let isTold = false
    const onRetry = (error: Error) => {
      // A server that has never answered is rather misspelt, or down, than busy.
      if (!contact.isMade && !this.flags.retry) throw error
      if (!isTold) this.out.note(`No answer from ${url} yet. Trying again…`)
      isTold = true
    }
    return createClient({ url, token, onRetry, fetch: contact.fetch, timeoutMs: contact.timeoutMs + RETRIES_MS })
  }

  /** How requests are sent to a server. */
  contactFor(workMs = 0): Contact {
    return new Contact(timeoutMsOf(this.flags.timeout, this.settings.timeout) + workMs)
  }

  warnIfExposed(url: string): void {
    if (this.#hasWarned || !isExposed(url)) return
    this.#hasWarned = true
    this.out.note(`Warning: ${url} is not encrypted, so your token can be read on the way. Use https.`)
  }
}

/** How results are printed for a script, if one asks for that. */
function jsonForm({ json, jq, template }: GlobalFlags): JsonForm | null {
  if ([json, jq, template].every((given) => given === undefined)) return null
  if (jq !== undefined && template !== undefined) throw usage('--jq and --template cannot be used together')
  const fields = json
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return { fields: fields?.length ? fields : undefined, jq, template }
}
