import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Above the first number of waiting requests, a connection is paused until the second is left. */
const MANY = 32
const FEW = 8
/** The maximum on all connections: one read of 64 KiB brings thousands before a connection can be paused. */
const MAX_WAITING = 10_000

/** The requests of one connection. */
interface Pipeline {
  /** The current response, or the last one. */
  answer: ServerResponse | null
  /** The response to the latest request. */
  newest: ServerResponse | null
  waiting: number
  isPaused: boolean
}

/**
 * Pipelined requests, sent before earlier ones of the connection were answered. They run one after the other: responses must
 * keep this order, and early ones would stay in memory.
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
    // Node assigns the socket once all earlier responses were sent.
    if (response.socket || !before) begin()
    else this.#wait(socket, pipeline, before, begin)
  }

  /** Whether a response was started, or a request is incomplete, so that no error response can be sent. */
  isAnswering(socket: Socket): boolean {
    const answer = this.#pipelines.get(socket)?.answer
    return Boolean(answer?.headersSent && !(answer.writableFinished && answer.req.complete))
  }

  #open(socket: Socket): Pipeline {
    const pipeline: Pipeline = { answer: null, newest: null, waiting: 0, isPaused: false }
    this.#pipelines.set(socket, pipeline)
    // Reading a body resumes its connection, and so does Node after each request.
    socket.on('resume', () => {
      if (pipeline.isPaused) socket.pause()
    })
    return pipeline
  }

  /** The connection is closed. */
  leave(socket: Socket): void {
    this.#waiting -= this.#pipelines.get(socket)?.waiting ?? 0
  }

  #wait(socket: Socket, pipeline: Pipeline, before: ServerResponse, begin: () => void): void {
    pipeline.waiting++
    this.#waiting++
    before.on('close', () => {
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
