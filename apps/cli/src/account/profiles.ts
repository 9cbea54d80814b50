import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Failure, failed, notSignedIn, usage } from '../failure.js'
import type { IssuedString } from '../input/form.js'
import { decoded } from '../input/utf8.js'

/** Stands where a token would be that the keyring has. */
const IN_KEYRING = 'keyring'

/** An account as it is saved on this machine. */
export interface Profile {
  readonly url: string
  /** The token, or where it is: `tokenOf` knows. */
  readonly token: string
  readonly actor_id: string
  readonly display_name: string
  /** Where an agent is connected that has joined from this machine. */
  readonly installation_id?: string | undefined
  /** Where its tenant was before: who names such an address means this account, too. */
  readonly former_urls?: readonly string[] | undefined
}

/** An account as a server has issued it. Its actor and its token become parts of commands of the keyring. */
export interface IssuedProfile extends Profile {
  readonly token: IssuedString<'token'>
  readonly actor_id: IssuedString<'actor ID'>
}

/** Whether an account is, or was, on a server. */
export const isOn = ({ url, former_urls = [] }: Profile, wanted: string): boolean =>
  url === wanted || former_urls.includes(wanted)

export interface ProfileFile {
  /** The profile that is used by default. */
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
  /** The addresses that may get a token of these when its tenant has moved there. */
  readonly may_move_to?: readonly string[] | undefined
}

/** The object has no prototype: a profile may be named "constructor". */
const NOTHING: ProfileFile = { current: null, profiles: Object.create(null) }

/** On Windows, modes mean nothing, and the home directory as a whole is closed to others. */
const HAS_MODES = process.platform !== 'win32'

/**
 * The accounts on this machine, in a `config.json` that only its owner can read. Their tokens are there, too, or in the
 * keyring of the system, which is asked to keep them first. A file that others can read is refused
 * rather than repaired: another account may have read the tokens.
 */
export class Profiles {
  readonly path: string

  /** `hasKeyring` says whether there may be one, and a person to unlock it. */
  constructor(
    directory: string,
    private readonly hasKeyring: boolean,
  ) {
    this.path = join(directory, 'config.json')
  }

  /** The token of an account. */
  async tokenOf(name: string, profile: Profile): Promise<string> {
    if (profile.token !== IN_KEYRING) return profile.token
    const token = await (await keyring())?.read(keptAs(name, profile))
    if (token) return token
    throw notSignedIn(
      `The token of ${name} cannot be read from the keyring of this system`,
      `Unlock the keyring, or sign in again: spaces login --profile ${name}`,
    )
  }

  async read(): Promise<ProfileFile> {
    const bytes = await readFile(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw failed(`Cannot read ${this.path}: ${error.message}`)
    })
    if (bytes === null) return NOTHING
    await requirePrivate(dirname(this.path), 0o700)
    await requirePrivate(this.path, 0o600)
    return parse(
      decoded(bytes, (line) => `${this.path}, line ${line}`),
      this.path,
    )
  }

  /** Saves an account beside the others. It is in use only if no other is. */
  save(name: string, profile: IssuedProfile): Promise<void> {
    return this.#save(name, profile, (current) => current ?? name)
  }

  /** Saves an account and switches to it, in one step: what follows runs as that account. */
  saveAndUse(name: string, profile: IssuedProfile): Promise<void> {
    return this.#save(name, profile, () => name)
  }

  /** Updates an account, if it is still there. */
  async update(name: string, changes: Partial<Pick<IssuedProfile, 'token' | 'display_name'>>): Promise<void> {
    const before = (await this.read()).profiles[name]
    if (!before) return
    const token = changes.token === undefined ? {} : { token: await this.#keep(name, { ...before, ...changes }) }
    await this.#change((file) => {
      const profile = file.profiles[name]
      return profile ? { ...file, profiles: { ...file.profiles, [name]: { ...profile, ...changes, ...token } } } : file
    })
  }

  /** The tenant of an account is on another server now; another command may have found out first. */
  async move(name: string, from: string, to: string): Promise<void> {
    const before = (await this.read()).profiles[name]
    if (before?.url !== from) return
    const token = await this.#keep(name, { ...before, url: to, token: await this.tokenOf(name, before) })
    await this.#change((file) => {
      const profile = file.profiles[name]
      if (profile?.url !== from) return file
      const former_urls = [...(profile.former_urls ?? []), from].filter((url) => url !== to)
      return { ...file, profiles: { ...file.profiles, [name]: { ...profile, url: to, token, former_urls } } }
    })
    if (before.token === IN_KEYRING) await (await keyring())?.forget(keptAs(name, before))
  }

  /** The addresses that may get a token. A file that cannot be read is reported to who needs an account in it. */
  async mayMoveTo(): Promise<readonly string[]> {
    const { may_move_to = [] } = await this.read().catch(() => NOTHING)
    return may_move_to
  }

  /** Changes which addresses may get a token. */
  async allow(change: (origins: readonly string[]) => readonly string[]): Promise<ProfileFile> {
    await this.#change((file) => ({ ...file, may_move_to: change(file.may_move_to ?? []) }))
    return this.read()
  }

  async use(name: string): Promise<void> {
    await this.#change((file) => {
      if (!file.profiles[name]) throw unknownProfile(name, file)
      return { ...file, current: name }
    })
  }

  /** Removes an account. If it was the current one and only one is left, switches to that. */
  async remove(name: string): Promise<void> {
    const before = (await this.read()).profiles[name]
    await this.#change((file) => {
      if (!file.profiles[name]) throw unknownProfile(name, file)
      const { [name]: _, ...left } = file.profiles
      const names = Object.keys(left)
      const next = file.current !== name ? file.current : names.length === 1 ? (names[0] as string) : null
      return { ...file, current: next, profiles: left }
    })
    if (before?.token === IN_KEYRING) await (await keyring())?.forget(keptAs(name, before))
  }

  /** A name never changes to another account. */
  async #save(name: string, profile: IssuedProfile, next: (current: string | null) => string): Promise<void> {
    const saved = { ...profile, token: await this.#keep(name, profile) }
    await this.#change((file) => {
      requireFree(name, file.profiles[name], profile)
      return { ...file, current: next(file.current), profiles: { ...file.profiles, [name]: saved } }
    })
  }

  /** The file's entry for a token: the token itself, unless the keyring has it. */
  async #keep(name: string, profile: Profile): Promise<string> {
    if (!this.hasKeyring) return profile.token
    const isKept = await (await keyring())?.keep(keptAs(name, profile), profile.token)
    return isKept ? IN_KEYRING : profile.token
  }

  /**
   * Replaces the file in one step, so that a crash leaves the old or the new one, and no other account can read it before its
   * mode is set. The new file is also the lock: only one process at a time can create it.
   */
  async #change(change: (file: ProfileFile) => ProfileFile): Promise<void> {
    const directory = dirname(this.path)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await requirePrivate(directory, 0o700)
    const next = `${this.path}.new`
    const handle = await createExclusively(next)
    try {
      try {
        await handle.writeFile(`${JSON.stringify(change(await this.read()), null, 2)}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(next, this.path)
    } catch (error) {
      await rm(next, { force: true })
      throw error
    }
  }
}

/** Under the actor, too: a name that is used again never overwrites the token of another. */
const keptAs = (name: string, { actor_id, url }: Profile) => `${name} (${actor_id} on ${url})`

const keyring = async () => (await import('./keyring.js')).keyringOf(process.platform)

/** A change takes milliseconds: a process that created the file so long ago was killed before it could rename it. */
const ABANDONED_MS = 10_000

/** Creates a file as soon as there is none of that name. */
async function createExclusively(path: string): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(path, 'wx', 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw failed(`${path}: ${(error as Error).message}`)
    }
    const made = await stat(path).catch(() => null)
    if (made && Date.now() - made.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
    else await delay(10 + Math.random() * 20)
  }
}

/** Refuses the name of another account: signing in again updates an account, and never replaces one. */
export function requireFree(name: string, saved: Profile | undefined, wanted: Partial<Profile>): void {
  if (!saved || (saved.url === wanted.url && saved.actor_id === wanted.actor_id)) return
  throw usage(
    `Profile ${name} already belongs to ${saved.display_name} on ${saved.url}`,
    `Choose another name with --profile NAME, or remove that account: spaces profile remove ${name}`,
  )
}

export function unknownProfile(name: string, { profiles }: ProfileFile): Failure {
  const names = Object.keys(profiles)
  const known = names.length > 0 ? `Profiles: ${names.join(', ')}` : 'Sign in first: spaces login'
  return usage(`There is no profile ${name} on this machine`, known)
}

async function requirePrivate(path: string, mode: number): Promise<void> {
  if (!HAS_MODES) return
  const found = (await stat(path)).mode & 0o777
  if ((found & ~mode) === 0) return
  throw failed(
    `${path} holds tokens and is open to other users (mode ${found.toString(8).padStart(4, '0')})`,
    `If no other account has read it, run: chmod ${mode.toString(8)} ${path}. Otherwise revoke the tokens and sign in again.`,
  )
}

function parse(text: string, path: string): ProfileFile {
  try {
    const { current, profiles, may_move_to } = JSON.parse(text) as ProfileFile
    const isWhole = Object.values(profiles).every(({ url, token, actor_id, display_name }) =>
      [url, token, actor_id, display_name].every((value) => typeof value === 'string'),
    )
    const areTexts = may_move_to === undefined || may_move_to.every((origin) => typeof origin === 'string')
    if (isWhole && areTexts)
      return { current, profiles: Object.assign(Object.create(null), profiles), ...(may_move_to && { may_move_to }) }
  } catch {
    // Reported below, without the text, which holds tokens.
  }
  throw failed(`${path} is corrupt`, 'Move it away and sign in again: spaces login')
}
