import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Hold } from './hold.js'

/** With more requests waiting than this, nothing is read from a connection until few are left. */
const MANY = 32
const FEW = 8
/**
 * How many may wait on all connections together. A connection can be told to stop only after what was just read, and in
 * 64 KiB there is room for thousands.
 */
const MOST = 10_000

/**
 * Requests that were sent before those ahead of them on the same connection were answered. They get their turn one after
 * the other: answers have to go out in this order, and those that were ready early would lie in memory.
 */
export class Pipelines {
  readonly #pipelines = new Map<Socket, Pipeline>()
  #waiting = 0

  /** Calls `start` once the connection is free for this response, unless the connection is closed before. */
  wait(socket: Socket, response: ServerResponse, start: () => void): void {
    if (socket.destroyed) return
    this.#pipelineOf(socket).enter()
    this.#waiting++
    // Node itself keeps the queue: it gives a response its socket when the one before has been sent.
    response.once('socket', () => this.#leave(socket, start))
    if (this.#waiting > MOST) this.#longest()?.destroy()
  }

  #leave(socket: Socket, start: () => void): void {
    const pipeline = this.#pipelines.get(socket)
    if (!pipeline) return
    pipeline.leave()
    this.#waiting--
    // The response is ready for use only after this event.
    process.nextTick(() => {
      if (!socket.destroyed) start()
    })
  }

  #pipelineOf(socket: Socket): Pipeline {
    const known = this.#pipelines.get(socket)
    if (known) return known
    const pipeline = new Pipeline(socket)
    this.#pipelines.set(socket, pipeline)
    socket.once('close', () => {
      this.#pipelines.delete(socket)
      this.#waiting -= pipeline.waiting
    })
    return pipeline
  }

  #longest(): Socket | undefined {
    return [...this.#pipelines.values()].sort((a, b) => b.waiting - a.waiting)[0]?.socket
  }
}

/** The requests that wait on one connection. */
class Pipeline {
  waiting = 0
  readonly #hold: Hold

  constructor(readonly socket: Socket) {
    this.#hold = new Hold(socket)
  }

  enter(): void {
    this.waiting++
    if (this.waiting > MANY) this.#hold.hold()
  }

  leave(): void {
    this.waiting--
    if (this.waiting <= FEW) this.#hold.letGo()
  }
}
