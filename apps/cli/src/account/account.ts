import { notSignedIn, usage } from '../failure.js'
import type { Settings } from '../settings.js'
import { isOn, type ProfileFile, type Profiles, unknownProfile } from './profiles.js'
import { checkedToken } from './token.js'
import { DEFAULT_URL, serverUrl } from './url.js'

/** The server a command talks to, and the token it uses. */
export interface Account {
  readonly url: string
  readonly token: string
  /** The profile it is saved as; null when the token comes from the environment. */
  readonly profile: string | null
  /** Where an agent is connected that has joined from this machine, or that `agent run` runs. */
  readonly installation_id?: string | undefined
}

/** The account that the command line names. */
export interface AccountSelection {
  readonly url?: string | undefined
  readonly profile?: string | undefined
}

/** The server that a flag or the environment names. */
export function namedUrl(wanted: AccountSelection, settings: Settings): string | undefined {
  if (wanted.url !== undefined) return serverUrl(wanted.url, '--url')
  return settings.url === undefined ? undefined : serverUrl(settings.url, 'SPACES_URL')
}

/**
 * The account to use: flags take precedence over the environment, and that over the saved profiles. A saved token is
 * only ever sent to its own server; on another one, no account is signed in.
 */
export async function findAccount(wanted: AccountSelection, settings: Settings, profiles: Profiles): Promise<Account> {
  const url = namedUrl(wanted, settings)
  if (wanted.profile === undefined && settings.token !== undefined) {
    const token = checkedToken(settings.token, 'SPACES_TOKEN')
    const installation_id = settings.installationId
    return { url: url ?? (await defaultUrl(wanted, settings, profiles)), token, profile: null, installation_id }
  }
  const file = await profiles.read()
  const name = wanted.profile ?? (url === undefined ? (settings.profile ?? file.current) : nameAt(url, settings, file))
  if (name === null) throw notSignedInTo(url)
  const profile = file.profiles[name]
  if (!profile) throw unknownProfile(name, file)
  if (wanted.url !== undefined && url !== undefined && !isOn(profile, url)) {
    throw usage(`Account ${name} is on ${profile.url}, not on ${url}`, 'Use either --url or --profile')
  }
  const { installation_id } = profile
  return { url: profile.url, token: await profiles.tokenOf(name, profile), profile: name, installation_id }
}

/** The server of the account that is used by default. */
export async function defaultUrl(wanted: AccountSelection, settings: Settings, profiles: Profiles): Promise<string> {
  const file = await profiles.read()
  const name = wanted.profile ?? settings.profile ?? file.current
  const profile = file.profiles[name ?? ''] ?? file.profiles[file.current ?? '']
  return profile?.url ?? DEFAULT_URL
}

/** The profile for a server: the preferred one of those on it, or else of those that were there; otherwise the only one. */
function nameAt(url: string, settings: Settings, { current, profiles }: ProfileFile): string | null {
  const entries = Object.entries(profiles)
  const now = entries.filter(([, profile]) => profile.url === url)
  const there = (now.length > 0 ? now : entries.filter(([, profile]) => isOn(profile, url))).map(([name]) => name)
  const preferred = settings.profile ?? current
  if (preferred !== null && there.includes(preferred)) return preferred
  if (there.length > 1) throw usage(`Several accounts are on ${url}: ${there.join(', ')}`, 'Choose one with --profile')
  return there[0] ?? null
}

const notSignedInTo = (url: string | undefined) =>
  notSignedIn(
    url === undefined ? 'You are not signed in' : `You are not signed in to ${url}`,
    `Create an account: spaces signup${url ? ` --url ${url}` : ''}. Have a token? Run spaces login, or set SPACES_TOKEN.`,
  )
