import { join } from 'node:path'
import { type Client, createClient, type MoveOptions } from '@collab-spaces/client'
import { type Account, type AccountSelection, defaultUrl, findAccount, namedUrl } from './account/account.js'
import { Profiles } from './account/profiles.js'
import { isExposed, isLoopback, movableOrigins } from './account/url.js'
import { Contact, timeoutMsOf } from './contact.js'
import { explain } from './explain.js'
import { usage } from './failure.js'
import type { Kind } from './id/kind.js'
import { type ClaimProof, delegatedClaimOn, delegatedClaimsIn, type WriteTarget } from './inbox/delegated-claims.js'
import { ShownList } from './input/shown.js'
import { JsonFile } from './json-file.js'
import type { PinnedServer } from './proof/space.js'
import type { Settings } from './settings.js'
import type { JsonForm } from './terminal/json.js'
import { Output } from './terminal/output.js'
import { Prompt } from './terminal/prompt.js'
import { styled } from './terminal/styled.js'

/** How long a call goes on trying, beside the time that the server may stay silent. */
const RETRIES_MS = 30_000

/** The options of every command. */
export interface GlobalFlags extends AccountSelection {
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

/** A server and the account that uses it. */
type AccountPlace = Pick<Account, 'url'> & Partial<Account>

/** The context of a command. */
export class Cli {
  readonly out: Output
  readonly prompt: Prompt
  readonly profiles: Profiles
  readonly shown: ShownList
  readonly aliases: JsonFile<string>
  /** The keys and checkpoints of logs that this machine has seen, apart for each account. */
  readonly pins: JsonFile<PinnedServer>
  #hasWarned = false
  /** Where tenants were, and where this command has found them. */
  readonly #moves = new Map<string, string>()
  readonly #saving: Promise<void>[] = []
  #mayMoveTo: readonly string[] = []

  private constructor(
    private readonly flags: GlobalFlags,
    readonly settings: Settings,
  ) {
    const json = jsonForm(flags)
    this.out = new Output({
      json,
      coloured: Boolean(process.stdout.isTTY) && !settings.plain && flags.color !== false,
      pager: flags.pager === false ? null : settings.pager,
    })
    this.prompt = new Prompt(Boolean(process.stdin.isTTY && process.stderr.isTTY) && json === null)
    this.profiles = new Profiles(settings.configDirectory, settings.hasKeyring)
    this.shown = new ShownList(settings.stateDirectory)
    this.aliases = new JsonFile(join(settings.configDirectory, 'aliases.json'))
    this.pins = new JsonFile(join(settings.configDirectory, 'checkpoints.json'))
  }

  static async with(flags: GlobalFlags, settings: Settings): Promise<Cli> {
    const cli = new Cli(flags, settings)
    const named = movableOrigins(settings.mayMoveTo, 'SPACES_MAY_MOVE_TO')
    cli.#mayMoveTo = [...named, ...(await cli.profiles.mayMoveTo())]
    return cli
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

  /** The profile that a flag or the environment names. */
  get namedProfile(): string | undefined {
    return this.flags.profile ?? this.settings.profile
  }

  /** The same context for another account. */
  as(wanted: AccountSelection): Promise<Cli> {
    return Cli.with({ ...this.flags, ...wanted }, this.settings)
  }

  /** The account in use. Fails with advice when no account is signed in. */
  async account(): Promise<Account> {
    const account = await findAccount(this.flags, this.settings, this.profiles)
    this.warnIfExposed(account.url)
    return account
  }

  /** The claim that the command writes with: that of the option, or else one that `agent run` handed to it. */
  claimFor(given: ClaimProof | undefined, place: WriteTarget): ClaimProof | undefined {
    const { flags, settings } = this
    // They are those of the account that the environment names.
    const isOther = flags.profile !== undefined && flags.profile !== settings.profile
    return given ?? (isOther ? undefined : delegatedClaimOn(delegatedClaimsIn(settings.claims ?? '[]'), place))
  }

  /** The environment in which a program uses an account, by this command or by the API. */
  environmentFor({ url, token, profile, installation_id }: Account): NodeJS.ProcessEnv {
    return {
      ...this.settings.environment,
      SPACES_URL: url,
      SPACES_TOKEN: token,
      ...(profile !== null && { SPACES_PROFILE: profile }),
      ...(installation_id !== undefined && { SPACES_INSTALLATION_ID: installation_id }),
    }
  }

  /** A client for the account in use. `workMs` is how much longer than usual the server may need. */
  async client(workMs = 0): Promise<Client> {
    return this.clientFor(await this.account(), workMs)
  }

  /** A client for a server; without a token, only for operations without authentication. */
  clientFor(place: AccountPlace, workMs = 0): Client {
    const moves = this.movesFrom(place)
    const { url } = moves
    const contact = this.contactFor(workMs)
    let isTold = false
    const onRetry = (error: Error) => {
      // A server that has never answered is rather misspelt, or down, than busy.
      if (!contact.isMade && !this.flags.retry) throw error
      if (!isTold) this.out.note(`No answer from ${url} yet. Trying again…`)
      isTold = true
    }
    const timeoutMs = contact.timeoutMs + RETRIES_MS
    return createClient({ ...moves, token: place.token, onRetry, fetch: contact.fetch, timeoutMs })
  }

  /** Where requests to a server begin, and where they may go when the tenant has moved. */
  movesFrom({ url, profile = null }: AccountPlace): Required<MoveOptions> & { readonly url: string } {
    return { url: this.nowAt(url), mayMoveTo: this.#mayMoveTo, onMoved: (to) => this.#onMoved(url, to, profile) }
  }

  /** The server that a tenant is on now, as far as this command knows. */
  nowAt(url: string): string {
    return this.#moves.get(url) ?? url
  }

  /** Resolves when it is saved where tenants are. */
  async finish(): Promise<void> {
    await Promise.all(this.#saving)
  }

  #onMoved(from: string, to: string, profile: string | null): void {
    const before = this.nowAt(from)
    if (before === to) return
    this.#moves.set(from, to)
    const moved = styled`Your tenant has moved to ${to}`
    if (profile === null) {
      this.out.note(`${moved}. Use that address from now on`)
      return
    }
    const saved = this.profiles.move(profile, before, to).then(
      () => this.out.note(`${moved}, which profile ${profile} has now`),
      (error: unknown) => this.out.note(styled`${moved}, which could not be saved: ${explain(error).detail}`),
    )
    this.#saving.push(saved)
  }

  /** How requests are sent to a server. */
  contactFor(workMs = 0): Contact {
    return new Contact(timeoutMsOf(this.flags.timeout, this.settings.timeout) + workMs, this.settings.proxies)
  }

  /** `fetch`, for a library that needs one, through a proxy where one is needed. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { proxies } = this.settings
    if (!proxies || isLoopback(url)) return globalThis.fetch(url, init)
    const { fetchThrough } = await import('./proxy.js')
    return fetchThrough(proxies, url, init)
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
