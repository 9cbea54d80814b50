import type { Request, Response } from 'express'

/** Callbacks for a response that is closed too early: with a listener each, calls that share a request are too many. */
const waiting = new WeakMap<Response, Set<() => void>>()

/**
 * Calls back if the connection is closed before the request is answered, at once if it already is. Returns a function
 * that cancels the callback.
 */
export function whenGone({ res: response }: Request, callback: () => void): () => void {
  if (response?.destroyed) callback()
  if (!response || response.destroyed) return () => {}
  const callbacks = waiting.get(response) ?? callbacksOf(response)
  callbacks.add(callback)
  return () => callbacks.delete(callback)
}

function callbacksOf(response: Response): Set<() => void> {
  const callbacks = new Set<() => void>()
  waiting.set(response, callbacks)
  response.once('close', () => {
    if (!response.writableFinished) for (const callback of callbacks) callback()
  })
  return callbacks
}

/** Calls back when the answer to the request has gone out, or its connection is closed before. */
export function whenSent({ res: response }: Request, callback: () => void): void {
  if (!response || response.destroyed) callback()
  else response.once('close', callback)
}

/** Calls back when the answer to the request begins to go out, or its connection is closed before. */
export function whenAnswered({ res: response }: Request, callback: () => void): void {
  if (!response || response.headersSent || response.destroyed) {
    callback()
    return
  }
  response.onBegin = callback
  response.once('close', callback)
}
