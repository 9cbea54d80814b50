import { join } from 'node:path'
import type { Actor } from '@collab-spaces/client'
import type { IssuedString } from '../input/form.js'
import { JsonFile } from '../json-file.js'

/** A session that an agent has for a space. Another program, or another directory, knows nothing of it. */
interface SavedSession {
  readonly id: string
  readonly command: string
  readonly cwd: string
}

/** The events that an agent works on, and what it answers once that is known. */
export interface SavedBatch {
  readonly event_ids: readonly string[]
  readonly thread_id: string | null
  /** How often the agent has failed at it. */
  readonly failures: number
  /** Null where nothing is to be said. */
  readonly answer?: string | null | undefined
  /** The files of the answer, once they are uploaded. */
  readonly file_ids?: readonly string[] | undefined
}

interface SavedSpace {
  readonly session?: SavedSession | undefined
  readonly batch?: SavedBatch | undefined
}

/** The memory of one space. */
export interface SpaceMemory {
  readonly saved: SavedSpace
  /** Resolves when it is saved. */
  change(change: SavedSpace): Promise<void>
}

/**
 * State that outlives the program, so that nothing is said twice: for each space the session, and the batch that is
 * being worked on. Only its owner can read the file, as answers that are not posted yet are in it.
 */
export class Memory {
  readonly #spaces: Record<string, SavedSpace>
  #saving: Promise<void> = Promise.resolve()

  private constructor(
    private readonly file: JsonFile<SavedSpace>,
    spaces: Readonly<Record<string, SavedSpace>>,
  ) {
    this.#spaces = Object.assign(Object.create(null), spaces)
  }

  static async in(directory: string, agent_id: IssuedString<'actor ID'>): Promise<Memory> {
    const path = join(directory, `${agent_id}.json`)
    const file = new JsonFile<SavedSpace>(path, 'Move it away: the agent then begins new sessions')
    return new Memory(file, await file.read())
  }

  /** IDs of spaces are unique within a tenant only, and an agent moves with its sponsor. */
  of({ tenant_id }: Actor, space_id: string): SpaceMemory {
    const key = tenant_id === null ? space_id : `${tenant_id}/${space_id}`
    const saved = this.#spaces[key] ?? {}
    return { saved, change: (change) => this.#change(key, change) }
  }

  async #change(key: string, change: SavedSpace): Promise<void> {
    this.#spaces[key] = { ...this.#spaces[key], ...change }
    const saving = this.#saving.then(() => this.file.write(this.#spaces))
    this.#saving = saving.catch(() => {})
    await saving
  }
}
