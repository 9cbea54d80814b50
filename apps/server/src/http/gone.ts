import type { Request } from 'express'

/**
 * Calls back if the connection is closed before the request is answered, at once if it already is. What it returns says
 * not to.
 */
export function whenGone({ res: response }: Request, callback: () => void): () => void {
  const onClose = () => {
    if (!response?.writableFinished) callback()
  }
  if (response?.destroyed) callback()
  else response?.once('close', onClose)
  return () => response?.off('close', onClose)
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
