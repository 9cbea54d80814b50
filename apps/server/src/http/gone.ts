import type { Request, Response } from 'express'

/** Callbacks for a disconnect before the response, behind one listener, as a request may have many calls. */
const waiting = new WeakMap<Response, Set<() => void>>()

/**
 * Calls back if the client disconnects before the response, at once if it already has. Returns a function that cancels the
 * callback.
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
  response.on('close', () => {
    if (!response.writableFinished) for (const callback of callbacks) callback()
  })
  return callbacks
}

/** Calls back when the response was sent, or the client has disconnected. */
export function whenSent({ res: response }: Request, callback: () => void): void {
  if (!response || response.destroyed) callback()
  else response.on('close', callback)
}

/** Calls back when the response is being sent, or the client has disconnected. */
export function whenAnswered({ res: response }: Request, callback: () => void): void {
  if (!response || response.headersSent || response.destroyed) {
    callback()
    return
  }
  response.onBegin = callback
  response.on('close', callback)
}
