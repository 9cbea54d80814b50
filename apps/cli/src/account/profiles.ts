import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { failed } from '../failure.js'

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

const NOTHING: ProfileFile = { current: null, profiles: {} }

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

  /** Keeps an account and makes it the current one. */
  async keep(name: string, profile: Profile): Promise<void> {
    const { profiles } = await this.read()
    await this.#write({ current: name, profiles: { ...profiles, [name]: profile } })
  }

  async use(name: string): Promise<void> {
    await this.#write({ ...(await this.read()), current: name })
  }

  /** Forgets an account. The current one is then the one that is left, if it is one. */
  async forget(name: string): Promise<void> {
    const { current, profiles } = await this.read()
    const { [name]: _, ...left } = profiles
    const names = Object.keys(left)
    const next = current !== name ? current : names.length === 1 ? (names[0] as string) : null
    await this.#write({ current: next, profiles: left })
  }

  /** In one step, so that a crash leaves the old file or the new one, and nobody sees it before its mode is right. */
  async #write(file: ProfileFile): Promise<void> {
    const directory = dirname(this.path)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await refuseWider(directory, 0o700)
    const temporary = `${this.path}.${process.pid}`
    try {
      const handle = await open(temporary, 'wx', 0o600)
      try {
        await handle.writeFile(`${JSON.stringify(file, null, 2)}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await chmod(temporary, 0o600)
      await rename(temporary, this.path)
    } finally {
      await rm(temporary, { force: true })
    }
  }
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
    const file = JSON.parse(text) as ProfileFile
    if (typeof file.profiles === 'object' && file.profiles !== null) return file
  } catch {
    // Said below, without the text: it holds tokens.
  }
  throw failed(`${path} is damaged`, 'Move it away and sign in again with: spaces login')
}
