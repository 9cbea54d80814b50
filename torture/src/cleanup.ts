/** What has to be ended when a trial or the whole run is over, however it ends: servers, PostgreSQL, folders. */
export class Cleanup {
  readonly #pending: (() => Promise<unknown> | unknown)[] = []
  #ended: Promise<void> | undefined

  /** What was begun last ends first. */
  add(end: () => Promise<unknown> | unknown): void {
    this.#pending.push(end)
  }

  /** A second call, such as for a second Ctrl-C, waits for the first. */
  run(): Promise<void> {
    this.#ended ??= this.#endAll()
    return this.#ended
  }

  async #endAll(): Promise<void> {
    for (let end = this.#pending.pop(); end; end = this.#pending.pop()) {
      try {
        await end()
      } catch (error) {
        // The others have to be ended all the same.
        process.stderr.write(`A child could not be ended: ${error instanceof Error ? error.message : error}\n`)
      }
    }
  }
}
