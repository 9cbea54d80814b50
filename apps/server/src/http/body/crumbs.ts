import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Caller, payerOf } from '@collab-spaces/api'
import { FairLimiter } from '@collab-spaces/fair'
import { Hold } from '../connection/hold.js'

/** A piece of a body that brings fewer bytes is a crumb. No packet of a network is as small, unless it is the last. */
const CRUMB_BYTES = 256
/** With so many crumbs not paid for, a connection is not read from. */
const MOST_OWED = 256
/** How many of them all connections together may bring in a millisecond. */
const CRUMBS_PER_MS = 100
/** As much as one read may bring. */
const MOST_GATHERED = 64 * 1024
/** One connection at a time waits for as long as its crumbs cost, for a minute at most. */
const TURNS = { width: 1, maxWaitMs: 60_000 }

/** A request, whose caller may be known later. */
interface Sent extends IncomingMessage {
  readonly caller: Caller | null
}

/**
 * Bodies that come in crumbs. Node makes an object of each chunk of a body and calls us with it, however small it is: one
 * read of 64 KiB may bring ten thousand chunks of a byte, which take it a hundred times as long as one chunk of as many
 * bytes. It can't be told to stop before the end of that read. So whoever sends such a body is read from at a pace that all
 * of them share, tenants taking turns, and what has been read is handed on in one piece.
 */
export class Crumbs {
  readonly #limiter = new FairLimiter(TURNS)
  readonly #senders = new WeakMap<Socket, Sender>()

  /** Counts and gathers what comes of the body of a request, read or not. For those with a length there is no need. */
  watch(request: Sent): void {
    const sender = this.#senderOf(request.socket)
    sender.request = request
    gather(request, () => sender.owe())
  }

  #senderOf(socket: Socket): Sender {
    const known = this.#senders.get(socket)
    if (known) return known
    const sender = new Sender(socket, this.#limiter)
    this.#senders.set(socket, sender)
    return sender
  }
}

/** A connection on which crumbs may come. */
class Sender {
  request: Sent | null = null
  readonly #hold: Hold
  #owed = 0
  #onGone: (() => void) | null = null

  constructor(
    private readonly socket: Socket,
    private readonly limiter: FairLimiter,
  ) {
    this.#hold = new Hold(socket)
    socket.once('close', () => this.#onGone?.())
  }

  owe(): void {
    this.#owed++
    if (this.#owed < MOST_OWED || this.#hold.isHeld) return
    this.#hold.hold()
    void this.#pay()
  }

  async #pay(): Promise<void> {
    const whenGone = (callback: () => void) => {
      this.#onGone = callback
      return () => {
        this.#onGone = null
      }
    }
    try {
      await this.limiter.run({ payer: payerOf(this.request?.caller ?? null), whenGone }, async () => {
        // What else the same read brings is known only after the first wait.
        while (this.#owed > 0 && !this.socket.destroyed) {
          const cost = this.#owed / CRUMBS_PER_MS
          this.#owed = 0
          await delay(cost, undefined, { ref: false })
        }
      })
      this.#hold.letGo()
    } catch {
      this.socket.destroy()
    }
  }
}

/** What is not part of Node's types. */
interface Internals {
  /** Called when an answer has been sent and nobody has read the body: what comes is dropped before it is counted. */
  _dump(): void
}

/** Has a body come in larger pieces than it was sent in, and tells of each crumb. */
function gather(request: Sent, onCrumb: () => void): void {
  const push = request.push.bind(request)
  let gathered = Buffer.alloc(0)
  let length = 0

  const handOn = () => {
    if (length === 0) return
    const piece = Buffer.from(gathered.subarray(0, length))
    length = 0
    push(piece)
  }

  const add = (crumb: Buffer) => {
    if (length === 0) setImmediate(handOn)
    if (length + crumb.length > gathered.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(2 * gathered.length, 4 * CRUMB_BYTES))
      gathered.copy(grown, 0, 0, length)
      gathered = grown
    }
    gathered.set(crumb, length)
    length += crumb.length
    if (length >= MOST_GATHERED) handOn()
  }

  const internals: Internals = {
    _dump: () => void request.removeAllListeners('data').resume(),
  }
  Object.assign(request, internals, {
    push(chunk: Buffer | null) {
      if (chunk === null || chunk.length >= CRUMB_BYTES) {
        handOn()
        return push(chunk)
      }
      onCrumb()
      add(chunk)
      return request.readableLength < request.readableHighWaterMark
    },
  })
}
