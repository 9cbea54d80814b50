type End = () => Promise<unknown> | unknown

/** The things that have to be ended when a run is over, however it ends: servers, PostgreSQL, folders. */
export class Cleanup {
  readonly #pending = new Set<End>()
  #ended: Promise<void> | undefined

  /** The thing begun last ends first. Returns what ends it before that. */
  add(end: End): () => Promise<void> {
    const endOnce = async () => {
      if (this.#pending.delete(endOnce)) await end()
    }
    this.#pending.add(endOnce)
    return endOnce
  }

  /** A second call, such as for a second Ctrl-C, waits for the first. */
  run(): Promise<void> {
    this.#ended ??= this.#endAll()
    return this.#ended
  }

  async #endAll(): Promise<void> {
    const last = () => [...this.#pending].at(-1)
    for (let end = last(); end; end = last()) {
      try {
        await end()
      } catch (error) {
        // The others have to be ended all the same.
        process.stderr.write(`Something could not be ended: ${error instanceof Error ? error.message : error}\n`)
      }
    }
  }
}
