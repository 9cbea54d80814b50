import { setImmediate } from 'node:timers/promises'
import type { Database, UnindexedFile } from '@collab-spaces/db'
import { fileForms, MAX_SEARCHED_BYTES, passagesOf, type SearchForms } from '@collab-spaces/domain'
import { coalesced } from '../live/coalesced.js'
import { textOfFile } from './text.js'

/** The worst delay of files that another instance attached just before it ended, and of imported ones. */
const INDEX_INTERVAL_MS = 60_000
/** After so many faults of files, the rest waits for the next run: their store is unreachable. */
const MAX_FAULTS = 10

/** Has the search find the files of events, shortly after each append. Any number of instances may. */
export class FileIndexer {
  #timer: NodeJS.Timeout | null = null
  #indexing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(
    private readonly files: Pick<Database['files'], 'contents' | 'unindexed' | 'index'>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  open(): void {
    this.#timer = setInterval(() => void this.index(), INDEX_INTERVAL_MS).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearInterval(this.#timer)
    await this.#indexing
  }

  /** An event names files. */
  attached(): void {
    void this.index()
  }

  /** Resolves when all files of events are indexed. */
  index(): Promise<void> {
    this.#indexing = this.#index()
    return this.#indexing
  }

  readonly #index = coalesced(async () => {
    let faults = 0
    const canGoOn = () => !this.#isClosed && faults < MAX_FAULTS
    try {
      let step: readonly UnindexedFile[] = []
      do {
        step = await this.files.unindexed(step.at(-1) ?? null)
        for (const file of step) if (canGoOn() && !(await this.#indexFile(file))) faults++
      } while (step.length > 0 && canGoOn())
    } catch (error) {
      this.onFault(error)
    }
  })

  /** Returns false for a file whose bytes cannot be read now. It is indexed later, and does not delay others. */
  async #indexFile(file: UnindexedFile): Promise<boolean> {
    try {
      const isSearched = file.size <= MAX_SEARCHED_BYTES
      const text = isSearched ? await textOfFile(this.files.contents, file, (work) => work()) : null
      const passages = passagesOf(text ?? '')
      await this.files.index(file, passages, await formsOf(file.name, passages))
      return true
    } catch (error) {
      this.onFault(error)
      return false
    }
  }
}

/** Other requests run between the passages. */
async function formsOf(name: string, passages: readonly string[]): Promise<SearchForms> {
  const forming = fileForms(name, passages)
  for (;;) {
    const step = forming.next()
    if (step.done) return step.value
    await setImmediate()
  }
}
