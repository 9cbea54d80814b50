import type { Claimant } from '@collab-spaces/fair'
import type { Gate } from '../gate.js'
import type { Caller } from './credential.js'

/** Requests with more calls than this wait for a slot before they read anything. */
const FEW_CALLS = 4
/** A call may wait for something to happen. Others need not wait as long for a slot. */
const LONGEST_MS = 10_000

/** A request whose answer is values in memory. */
export interface ValueRequest {
  /** How much JSON its answer may be made of, in bytes or characters. */
  readonly size?: number
  readonly calls?: number
  /** Calls back when the answer begins to go out, or nobody waits for it any more. */
  whenAnswered(callback: () => void): void
}

/** How much more JSON the values of one request may take, which all its calls share. */
export class ValueBudget {
  #left: number
  #reading: Promise<unknown> = Promise.resolve()
  /** It was answered, or nobody waits for it any more. */
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

  /** Calls of one moment have the same caller, who is looked up once for all of them. */
  sameCaller(look: () => Promise<Caller | null>): Promise<Caller | null> {
    if (!this.#look) {
      this.#look = look()
      setImmediate(() => {
        this.#look = null
      })
    }
    return this.#look
  }

  /** Whether there are so many calls that nothing is made of any before their request has a slot. */
  get isOfMany(): boolean {
    return (this.request.calls ?? 1) > FEW_CALLS
  }

  /** A call begins: at once if there are few, otherwise when its request has a slot. */
  async enter(gate: Gate, claimant: Claimant): Promise<void> {
    this.#ask ??= () => this.#askFor(gate, claimant)
    if (this.isOfMany) await this.#ownSlot()
  }

  /** Whether there was so much left, which is then gone. Nothing is left of a request that is over. */
  take(size: number): boolean {
    if (this.#isOver || size > this.#left) return false
    this.#left -= size
    return true
  }

  /**
   * Values that come in pieces are read when their request has a slot, and then one after the other: together, none of
   * them might get what it needs. Null if the request is over by then.
   */
  async read<T>(pieces: () => Promise<T>): Promise<T | null> {
    await this.#ownSlot()
    const reading = this.#reading.then(() => (this.#isOver ? null : pieces()))
    this.#reading = reading.catch(() => {})
    return reading
  }

  /** One slot for all calls. Values that anybody may read are never long. */
  async #ownSlot(): Promise<void> {
    this.#slot ??= this.#ask?.() ?? null
    await this.#slot
  }

  #askFor(gate: Gate, claimant: Claimant): Promise<void> {
    return new Promise((resolve, reject) => {
      const untilAnswered = () => {
        resolve()
        return new Promise<void>((over) => {
          const latest = setTimeout(over, LONGEST_MS)
          this.request.whenAnswered(() => {
            this.#isOver = true
            clearTimeout(latest)
            // A body that was read for somebody who left is in memory until it ends.
            void this.#reading.then(() => over())
          })
        })
      }
      gate.run('values', claimant, untilAnswered).catch(reject)
    })
  }
}
