type End = () => Promise<unknown> | unknown

/** Ends servers, PostgreSQL and directories at the end of a run, however it ends. */
export class Cleanup {
  readonly #pending = new Set<End>()
  #ended: Promise<void> | undefined

  /** Registers a cleanup; the last one registered runs first. Returns a function that runs it earlier. */
  add(end: End): () => Promise<void> {
    const endOnce = async () => {
      if (this.#pending.delete(endOnce)) await end()
    }
    this.#pending.add(endOnce)
    return endOnce
  }

  /** Runs all cleanups. A second call, such as for a second Ctrl-C, waits for the first. */
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
        // The other cleanups must still run.
        process.stderr.write(`Something could not be ended: ${error instanceof Error ? error.message : error}\n`)
      }
    }
  }
}
