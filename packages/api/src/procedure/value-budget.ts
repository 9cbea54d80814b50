import { type Asker, FairLane } from '@collab-spaces/db'
import type { Caller } from './credential.js'

/**
 * An answer that is values in memory takes several times its size while it is made. So large ones, and those of many
 * calls, take turns. That they are large is known only by their first piece, which can be a huge event and is kept until
 * their turn: not many wait.
 */
const TURNS = { width: 3, mostOfActor: 2, maxWaitMs: 5_000, mostWaiting: 32 }
/** Requests with more calls than this wait for their turn before they read anything. */
const FEW_CALLS = 4
/** A call may wait for something to happen. Others need not wait as long for their turn. */
const LONGEST_TURN_MS = 10_000

/** Where requests whose answers are values wait for their turn. */
export type ValueTurns = FairLane
export const openValueTurns = (): ValueTurns => new FairLane(TURNS)

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
  #turn: Promise<void> | null = null
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

  /** Whether there are so many calls that nothing is made of any before the turn of their request. */
  get isOfMany(): boolean {
    return (this.request.calls ?? 1) > FEW_CALLS
  }

  /** A call begins: at once if there are few, otherwise when it is the turn of its request. */
  async enter(turns: ValueTurns, asker: Asker): Promise<void> {
    this.#ask ??= () => this.#askFor(turns, asker)
    if (this.isOfMany) await this.#ownTurn()
  }

  /** Whether there was so much left, which is then gone. Nothing is left of a request that is over. */
  take(size: number): boolean {
    if (this.#isOver || size > this.#left) return false
    this.#left -= size
    return true
  }

  /**
   * Values that come in pieces are read when it is the turn of their request, and then one after the other: together,
   * none of them might get what it needs. Null if the request is over by then.
   */
  async inTurn<T>(read: () => Promise<T>): Promise<T | null> {
    await this.#ownTurn()
    const reading = this.#reading.then(() => (this.#isOver ? null : read()))
    this.#reading = reading.catch(() => {})
    return reading
  }

  /** One for all calls. What anybody may read is never long. */
  async #ownTurn(): Promise<void> {
    this.#turn ??= this.#ask?.() ?? null
    await this.#turn
  }

  #askFor(turns: ValueTurns, asker: Asker): Promise<void> {
    return new Promise((resolve, reject) => {
      const untilAnswered = () => {
        resolve()
        return new Promise<void>((over) => {
          const latest = setTimeout(over, LONGEST_TURN_MS)
          this.request.whenAnswered(() => {
            this.#isOver = true
            clearTimeout(latest)
            // What has been read for somebody who left is in memory until it ends.
            void this.#reading.then(() => over())
          })
        })
      }
      turns.run(asker, untilAnswered).catch(reject)
    })
  }
}
