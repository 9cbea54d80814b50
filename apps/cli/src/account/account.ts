import { notSignedIn, usage } from '../failure.js'
import type { Settings } from '../settings.js'
import { type ProfileFile, type Profiles, unknownProfile } from './profiles.js'
import { possibleToken } from './token.js'
import { DEFAULT_URL, serverUrl } from './url.js'

/** Which server a command talks to, and as whom. */
export interface Account {
  readonly url: string
  readonly token: string
  /** The name it is kept under; null when the environment gave the token. */
  readonly profile: string | null
}

/** What was asked for on the command line. */
export interface Wanted {
  readonly url?: string | undefined
  readonly profile?: string | undefined
}

/** The server that a flag or the environment names. */
export function namedUrl(wanted: Wanted, settings: Settings): string | undefined {
  if (wanted.url !== undefined) return serverUrl(wanted.url, '--url')
  return settings.url === undefined ? undefined : serverUrl(settings.url, 'SPACES_URL')
}

/**
 * A flag beats the environment, and the environment the file. A token that is kept is only ever sent to the server
 * that it was kept for, so naming another server means being nobody there.
 */
export async function findAccount(wanted: Wanted, settings: Settings, profiles: Profiles): Promise<Account> {
  const url = namedUrl(wanted, settings)
  if (wanted.profile === undefined && settings.token !== undefined) {
    const token = possibleToken(settings.token, 'SPACES_TOKEN')
    return { url: url ?? (await usualUrl(wanted, settings, profiles)), token, profile: null }
  }
  const file = await profiles.read()
  const name = wanted.profile ?? (url === undefined ? (settings.profile ?? file.current) : nameAt(url, settings, file))
  if (name === null) throw nobodyAt(url)
  const profile = file.profiles[name]
  if (!profile) throw unknownProfile(name, file)
  if (wanted.url !== undefined && profile.url !== url) {
    throw usage(`The account ${name} is on ${profile.url}, not on ${url}`, 'Give one of --url and --profile')
  }
  return { url: profile.url, token: profile.token, profile: name }
}

/** The server of the account that is used when none is named. */
export async function usualUrl(wanted: Wanted, settings: Settings, profiles: Profiles): Promise<string> {
  const file = await profiles.read()
  const name = wanted.profile ?? settings.profile ?? file.current
  const profile = file.profiles[name ?? ''] ?? file.profiles[file.current ?? '']
  return profile?.url ?? DEFAULT_URL
}

/** The account on a server: the wanted or current one when it is there, otherwise the only one that is. */
function nameAt(url: string, settings: Settings, { current, profiles }: ProfileFile): string | null {
  const preferred = settings.profile ?? current
  if (preferred !== null && profiles[preferred]?.url === url) return preferred
  const there = Object.keys(profiles).filter((name) => profiles[name]?.url === url)
  if (there.length > 1) throw usage(`There are several accounts on ${url}: ${there.join(', ')}`, 'Name one: --profile')
  return there[0] ?? null
}

const nobodyAt = (url: string | undefined) =>
  notSignedIn(
    url === undefined ? 'You are not signed in' : `You are not signed in on ${url}`,
    `New here: spaces signup${url ? ` --url ${url}` : ''}. With a token: spaces login, or set SPACES_TOKEN.`,
  )
