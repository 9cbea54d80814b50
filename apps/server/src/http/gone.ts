import type { Request } from 'express'

/** Calls back if the connection is closed before the request is answered. */
export function whenGone({ res: response }: Request, callback: () => void): void {
  response?.once('close', () => {
    if (!response.writableFinished) callback()
  })
}
