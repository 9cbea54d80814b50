import type { LogEntry } from '@collab-spaces/db'

/** The most that a subscriber is given at once, in characters of JSON; read from the log, in bytes. */
export const BATCH_SIZE = 256 * 1024

/** How an event is spelled in a stream. */
export type Frame = (entry: LogEntry) => string

/** Events of one space in the order of its log, without a gap, ready to be sent to any number of subscribers. */
export class Batch {
  readonly #framed = new Map<Frame, Buffer>()

  constructor(readonly entries: readonly LogEntry[]) {}

  get last(): number {
    return (this.entries.at(-1) as LogEntry).position
  }

  /** The events as they are sent. Framed once, however many sockets the buffer is written to. */
  framed(frame: Frame): Buffer {
    let buffer = this.#framed.get(frame)
    if (!buffer) {
      buffer = Buffer.from(this.entries.map(frame).join(''))
      this.#framed.set(frame, buffer)
    }
    return buffer
  }
}

/** As many of the first entries as make a batch; at least one. */
export function batchOf(entries: readonly LogEntry[]): Batch {
  let size = 0
  const end = entries.findIndex(({ wire }, index) => {
    size += wire.length
    return index > 0 && size > BATCH_SIZE
  })
  return new Batch(end === -1 ? entries : entries.slice(0, end))
}
