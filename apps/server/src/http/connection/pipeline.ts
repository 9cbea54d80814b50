import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** With more requests waiting than this, nothing is read from a connection until few are left. */
const MANY = 32
const FEW = 8
/** How many may wait on all connections together: a read of 64 KiB brings thousands before a connection can be paused. */
const MAX_WAITING = 10_000

/** The requests of one connection. */
interface Pipeline {
  /** The answer under way, or the last one. */
  answer: ServerResponse | null
  /** The answer to the request that came last. */
  newest: ServerResponse | null
  waiting: number
  isPaused: boolean
}

/**
 * Requests that were sent before those ahead of them on the same connection were answered. They take turns: answers
 * have to go out in this order, and those that were ready early would lie in memory.
 */
export class Pipelines {
  readonly #pipelines = new WeakMap<Socket, Pipeline>()
  #waiting = 0

  /** Calls `start` once the connection is free for this response, unless the connection is closed before. */
  enter(socket: Socket, response: ServerResponse, start: () => void): void {
    if (socket.destroyed) return
    const pipeline = this.#pipelines.get(socket) ?? this.#open(socket)
    const begin = () => {
      pipeline.answer = response
      start()
    }
    const before = pipeline.newest
    pipeline.newest = response
    // Node gives a response its socket when those before have been sent.
    if (response.socket || !before) begin()
    else this.#wait(socket, pipeline, before, begin)
  }

  /** Whether an answer has begun to go out, or its request has not come to its end: nothing else can be said then. */
  isAnswering(socket: Socket): boolean {
    const answer = this.#pipelines.get(socket)?.answer
    return Boolean(answer?.headersSent && !(answer.writableFinished && answer.req.complete))
  }

  #open(socket: Socket): Pipeline {
    const pipeline: Pipeline = { answer: null, newest: null, waiting: 0, isPaused: false }
    this.#pipelines.set(socket, pipeline)
    // Reading the body of a request resumes its connection, too, and so does Node after each request.
    socket.on('resume', () => {
      if (pipeline.isPaused) socket.pause()
    })
    socket.once('close', () => {
      this.#waiting -= pipeline.waiting
    })
    return pipeline
  }

  #wait(socket: Socket, pipeline: Pipeline, before: ServerResponse, begin: () => void): void {
    pipeline.waiting++
    this.#waiting++
    before.once('close', () => {
      if (socket.destroyed) return
      pipeline.waiting--
      this.#waiting--
      if (pipeline.isPaused && pipeline.waiting <= FEW) {
        pipeline.isPaused = false
        socket.resume()
      }
      begin()
    })
    if (pipeline.waiting <= MANY) return
    pipeline.isPaused = true
    socket.pause()
    if (this.#waiting > MAX_WAITING) socket.destroy()
  }
}
