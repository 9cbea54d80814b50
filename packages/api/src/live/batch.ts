import type { LogEntry } from '@collab-spaces/db'

/** The maximum size of a batch, in characters of JSON; of one read from the log, in bytes. */
export const BATCH_SIZE = 256 * 1024

/** Formats an event for a stream. */
export type Frame = (entry: LogEntry) => string

/** Consecutive events of one space, ready to be sent to any number of subscribers. */
export class Batch {
  readonly #framed = new Map<Frame, Buffer>()

  constructor(readonly entries: readonly LogEntry[]) {}

  get last(): number {
    return (this.entries.at(-1) as LogEntry).position
  }

  /** Returns the formatted events. Formatted once for all sockets that the buffer is written to. */
  framed(frame: Frame): Buffer {
    let buffer = this.#framed.get(frame)
    if (!buffer) {
      buffer = Buffer.from(this.entries.map(frame).join(''))
      this.#framed.set(frame, buffer)
    }
    return buffer
  }
}

/** Returns a batch of the first entries, at least one. */
export function batchOf(entries: readonly LogEntry[]): Batch {
  let size = 0
  const end = entries.findIndex(({ wire }, index) => {
    size += wire.length
    return index > 0 && size > BATCH_SIZE
  })
  return new Batch(end === -1 ? entries : entries.slice(0, end))
}
