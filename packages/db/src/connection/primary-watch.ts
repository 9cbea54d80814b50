import type { LogFunction } from './connection.js'

/** Logs once when connections stop leading to a primary, and once when they do again. */
export class PrimaryWatch {
  #isMissing = false

  constructor(private readonly log: LogFunction) {}

  missed(): void {
    if (this.#isMissing) return
    this.#isMissing = true
    this.log('warn', 'the database takes no writes: it is a standby, or was made read-only; requests get 503 meanwhile')
  }

  found(): void {
    if (!this.#isMissing) return
    this.#isMissing = false
    this.log('info', 'the database takes writes again')
  }
}
