import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Failure, failed, usage } from '../failure.js'

/** An account on a server, as it is kept on this machine. */
export interface Profile {
  readonly url: string
  readonly token: string
  readonly actor_id: string
  readonly display_name: string
}

export interface ProfileFile {
  /** The name of the account that is used when none is named. */
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

/** Profiles have no prototype: somebody may call an account "constructor". */
const NOTHING: ProfileFile = { current: null, profiles: Object.create(null) }

/** On Windows the home directory is closed to others as a whole, and modes mean nothing. */
const HAS_MODES = process.platform !== 'win32'

/**
 * The accounts of this person, in `config.json` of a directory that nobody else can enter. A file that others can
 * read is refused rather than mended: whoever could read the tokens may have done so.
 */
export class Profiles {
  readonly path: string

  constructor(directory: string) {
    this.path = join(directory, 'config.json')
  }

  async read(): Promise<ProfileFile> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw failed(`${this.path} cannot be read: ${error.message}`)
    })
    if (text === null) return NOTHING
    await refuseWider(dirname(this.path), 0o700)
    await refuseWider(this.path, 0o600)
    return parse(text, this.path)
  }

  /** Keeps an account and makes it the current one. A name that stands for somebody else stays theirs. */
  async keep(name: string, profile: Profile): Promise<void> {
    await this.#change(({ profiles }) => {
      refuseTaken(name, profiles[name], profile)
      return { current: name, profiles: { ...profiles, [name]: profile } }
    })
  }

  /** Keeps what is new about an account, if it is still there. */
  async renew(name: string, news: Partial<Pick<Profile, 'token' | 'display_name'>>): Promise<void> {
    await this.#change((file) => {
      const profile = file.profiles[name]
      return profile ? { ...file, profiles: { ...file.profiles, [name]: { ...profile, ...news } } } : file
    })
  }

  async use(name: string): Promise<void> {
    await this.#change((file) => {
      if (!file.profiles[name]) throw unknownProfile(name, file)
      return { ...file, current: name }
    })
  }

  /** Forgets an account. The current one is then the one that is left, if it is one. */
  async forget(name: string): Promise<void> {
    await this.#change((file) => {
      if (!file.profiles[name]) throw unknownProfile(name, file)
      const { [name]: _, ...left } = file.profiles
      const names = Object.keys(left)
      const next = file.current !== name ? file.current : names.length === 1 ? (names[0] as string) : null
      return { current: next, profiles: left }
    })
  }

  /**
   * In one step, so that a crash leaves the old file or the new one, and nobody sees it before its mode is right. As
   * only one process can make the new file, no other changes the old one meanwhile.
   */
  async #change(change: (file: ProfileFile) => ProfileFile): Promise<void> {
    const directory = dirname(this.path)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await refuseWider(directory, 0o700)
    const next = `${this.path}.new`
    const handle = await makeAlone(next)
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

/** A change takes milliseconds: whoever made a file so long ago was killed before they could rename it. */
const ABANDONED_MS = 10_000

/** Makes a file that must not be there, as soon as it is not. */
async function makeAlone(path: string): Promise<FileHandle> {
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

/** Refuses a name that is kept for another account: signing in again renews an account, and never replaces one. */
export function refuseTaken(name: string, kept: Profile | undefined, wanted: Partial<Profile>): void {
  if (!kept || (kept.url === wanted.url && kept.actor_id === wanted.actor_id)) return
  throw usage(
    `The name ${name} stands for ${kept.display_name} on ${kept.url}`,
    `Give this account another name with --profile NAME, or forget that one: spaces profile remove ${name}`,
  )
}

export function unknownProfile(name: string, { profiles }: ProfileFile): Failure {
  const names = Object.keys(profiles)
  const known = names.length > 0 ? `There are: ${names.join(', ')}` : 'There is none yet; begin with: spaces login'
  return usage(`There is no account ${name} on this machine`, known)
}

async function refuseWider(path: string, mode: number): Promise<void> {
  if (!HAS_MODES) return
  const found = (await stat(path)).mode & 0o777
  if ((found & ~mode) === 0) return
  throw failed(
    `${path} is open to others (mode ${found.toString(8).padStart(4, '0')}), and tokens are kept there`,
    `If nobody can have read them: chmod ${mode.toString(8)} ${path}. Otherwise revoke them and sign in again.`,
  )
}

function parse(text: string, path: string): ProfileFile {
  try {
    const { current, profiles } = JSON.parse(text) as ProfileFile
    const isWhole = Object.values(profiles).every(({ url, token, actor_id, display_name }) =>
      [url, token, actor_id, display_name].every((value) => typeof value === 'string'),
    )
    if (isWhole) return { current, profiles: Object.assign(Object.create(null), profiles) }
  } catch {
    // Said below, without the text: it holds tokens.
  }
  throw failed(`${path} is damaged`, 'Move it away and sign in again with: spaces login')
}
