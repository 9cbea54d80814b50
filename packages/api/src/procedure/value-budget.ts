import type { SlotRequest } from '@collab-spaces/fair'
import type { Gate } from '../gate.js'
import type { Caller } from './credential.js'

/** Requests with more calls than this wait for a slot before they read anything. */
const FEW_CALLS = 4
/** The maximum time that a request holds its slot, as its calls may be long polls. */
const LONGEST_MS = 10_000

/** A request whose response is values in memory. */
export interface ValueRequest {
  /** The maximum JSON of its response, in bytes or characters. */
  readonly size?: number
  readonly calls?: number
  /** Calls back when the response is being sent, or the client has disconnected. */
  whenAnswered(callback: () => void): void
}

/** The remaining JSON size of the values of one request, shared by its calls. */
export class ValueBudget {
  #left: number
  #reading: Promise<unknown> = Promise.resolve()
  /** Whether it was answered or its client has disconnected. */
  #isOver = false
  #ask: (() => Promise<void>) | null = null
  #slot: Promise<void> | null = null
  #look: Promise<Caller | null> | null = null

  constructor(
    size: number,
    private readonly request: ValueRequest,
  ) {
    this.#left = size
  }

  /** Concurrent calls share one authentication. */
  sameCaller(look: () => Promise<Caller | null>): Promise<Caller | null> {
    if (!this.#look) {
      this.#look = look()
      setImmediate(() => {
        this.#look = null
      })
    }
    return this.#look
  }

  /** Whether its calls are so many that none starts before the request has a slot. */
  get isOfMany(): boolean {
    return (this.request.calls ?? 1) > FEW_CALLS
  }

  /** Starts a call: at once if there are few, otherwise when its request has a slot. */
  async enter(gate: Gate, request: SlotRequest): Promise<void> {
    this.#ask ??= () => this.#askFor(gate, request)
    if (this.isOfMany) await this.#ownSlot()
  }

  /** Takes a size from the budget. Returns whether it was left; a finished request has nothing left. */
  take(size: number): boolean {
    if (this.#isOver || size > this.#left) return false
    this.#left -= size
    return true
  }

  /**
   * Reads values in pieces when the request has a slot, one value after the other, as concurrent ones might all exceed the
   * budget. Null if the request has finished.
   */
  async read<T>(pieces: () => Promise<T>): Promise<T | null> {
    await this.#ownSlot()
    const reading = this.#reading.then(() => (this.#isOver ? null : pieces()))
    this.#reading = reading.catch(() => {})
    return reading
  }

  /** One slot for all calls. Values that need no credential are never long. */
  async #ownSlot(): Promise<void> {
    this.#slot ??= this.#ask?.() ?? null
    await this.#slot
  }

  #askFor(gate: Gate, request: SlotRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      const untilAnswered = () => {
        resolve()
        return new Promise<void>((over) => {
          const latest = setTimeout(over, LONGEST_MS)
          this.request.whenAnswered(() => {
            this.#isOver = true
            clearTimeout(latest)
            // The body of a disconnected client stays in memory until the request ends.
            void this.#reading.then(() => over())
          })
        })
      }
      gate.run('values', request, untilAnswered).catch(reject)
    })
  }
}
