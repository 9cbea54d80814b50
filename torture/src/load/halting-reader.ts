import type { Socket } from 'node:net'
import { eventually } from '@collab-spaces/testing/programs'
import type { OutgoingRequest } from '../service/http.js'
import { unread } from '../service/raw.js'

/** Opens a stream, stops reading for a while, and then reads all of it. */
export class HaltingReader {
  readonly #socket: Socket
  readonly #begun = performance.now()
  /** The last received bytes, as long as an id. */
  #latest = ''
  #hasSeen = false

  constructor(
    url: string,
    request: OutgoingRequest,
    /** The last event. */
    private readonly last: string,
  ) {
    this.#socket = unread(url, request)
  }

  /** Its age in milliseconds. */
  get age(): number {
    return performance.now() - this.#begun
  }

  /** Reads to the last event. Returns false if the stream ends before. */
  async readOn(): Promise<boolean> {
    this.#socket.on('data', (chunk: Buffer) => {
      const text = this.#latest + chunk.toString('latin1')
      this.#hasSeen ||= text.includes(this.last)
      this.#latest = text.slice(-this.last.length)
    })
    this.#socket.resume()
    await eventually(() => this.#hasSeen || this.#socket.destroyed)
    this.#socket.destroy()
    return this.#hasSeen
  }
}
