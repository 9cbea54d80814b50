import { readSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsed } from '../json-file.js'
import { MessageIndex } from './message-index.js'
import type { Message } from './record.js'

/** Messages whose places are in one block. */
const BLOCK = 65_536
/** The channel, the time, and where the message is in the file. */
const PLACE = 4
const WRITE_BYTES = 1024 * 1024
const ID_BYTES = 16

/** The name of a message in the archive. */
export const keyOf = (channelId: string, id: string) => `${channelId}/${id}`

/**
 * The messages of an archive in a file that only this user can read, as archives have them in any order. In memory are
 * only their places, and the IDs of the events that were made of them.
 */
export class Spool<M extends Message = Message> {
  readonly #blocks: Float64Array[] = []
  readonly #index = new MessageIndex()
  readonly #channels: string[] = []
  readonly #channelNumbers = new Map<string, number>()
  #eventIds = Buffer.alloc(0)
  #waiting: string[] = []
  #waitingLength = 0
  #written = 0
  #count = 0

  private constructor(
    private readonly directory: string,
    private readonly file: FileHandle,
  ) {}

  static async open<M extends Message>(): Promise<Spool<M>> {
    const directory = await mkdtemp(join(tmpdir(), 'spaces-'))
    return new Spool(directory, await open(join(directory, 'messages'), 'wx+', 0o600))
  }

  async close(): Promise<void> {
    await this.file.close()
    await rm(this.directory, { recursive: true, force: true })
  }

  get count(): number {
    return this.#count
  }

  /** Adds a message. False if the archive had it before. */
  async add(message: M): Promise<boolean> {
    if (!this.#index.add(keyOf(message.channelId, message.id), this.#count)) return false
    const line = JSON.stringify(message)
    const length = Buffer.byteLength(line)
    const place = [this.#channelNumber(message.channelId), message.at, this.#written + this.#waitingLength, length]
    if (this.#count % BLOCK === 0) this.#blocks.push(new Float64Array(BLOCK * PLACE))
    this.#blocks.at(-1)?.set(place, (this.#count % BLOCK) * PLACE)
    this.#waiting.push(line)
    this.#waitingLength += length
    this.#count += 1
    if (this.#waitingLength > WRITE_BYTES) await this.#flush()
    return true
  }

  /** Ends the adding. */
  async end(): Promise<void> {
    await this.#flush()
    this.#eventIds = Buffer.alloc(this.#count * ID_BYTES)
  }

  /** The number of a message; undefined if the archive does not have it. */
  find(channelId: string, id: string): number | undefined {
    return this.#index.get(keyOf(channelId, id))
  }

  /** The number of a message by its key. */
  findKey(key: string): number | undefined {
    return this.#index.get(key)
  }

  /** The numbers of the messages of some channels, by time, and as the archive has them among equal ones. */
  orderOf(channelIds: ReadonlySet<string>): Uint32Array {
    const isIn = this.#channels.map((id) => channelIds.has(id))
    let length = 0
    for (let number = 0; number < this.#count; number++) if (isIn[this.#place(number, 0)]) length += 1
    const order = new Uint32Array(length)
    let at = 0
    for (let number = 0; number < this.#count; number++) if (isIn[this.#place(number, 0)]) order[at++] = number
    return order.sort((one, other) => this.#place(one, 1) - this.#place(other, 1) || one - other)
  }

  /** Blocks for microseconds, as the file has just been written. A promise for each message would take longer. */
  read(number: number): M {
    const bytes = Buffer.allocUnsafe(this.#place(number, 3))
    readSync(this.file.fd, bytes, 0, bytes.length, this.#place(number, 2))
    return parsed(bytes.toString()) as M
  }

  timeOf(number: number): number {
    return this.#place(number, 1)
  }

  /** The ID of the event that was made of a message; null if there is none yet. */
  eventOf(number: number): string | null {
    const hex = this.#eventIds.subarray(number * ID_BYTES, (number + 1) * ID_BYTES).toString('hex')
    if (/^0+$/.test(hex)) return null
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }

  setEvent(number: number, eventId: string): void {
    this.#eventIds.write(eventId.replaceAll('-', ''), number * ID_BYTES, 'hex')
  }

  #place(number: number, field: number): number {
    return this.#blocks[Math.floor(number / BLOCK)]?.[(number % BLOCK) * PLACE + field] as number
  }

  #channelNumber(id: string): number {
    const known = this.#channelNumbers.get(id)
    if (known !== undefined) return known
    this.#channelNumbers.set(id, this.#channels.length)
    return this.#channels.push(id) - 1
  }

  async #flush(): Promise<void> {
    if (this.#waiting.length === 0) return
    const bytes = Buffer.from(this.#waiting.join(''))
    this.#waiting = []
    this.#waitingLength = 0
    await this.file.appendFile(bytes)
    this.#written += bytes.length
  }
}
