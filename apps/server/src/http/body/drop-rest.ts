import type { IncomingMessage } from 'node:http'

/** How much of a body that is refused is still read, and for how long. */
const MAX_DROPPED = 16 * 1024 * 1024
const DROP_MS = 2_000

/**
 * Reads on for a moment, and drops what comes, before a body is refused that may still be on its way. A client that sends
 * until its connection is closed on it may see just that, and never the answer. One that does not come to its end in time
 * is answered all the same.
 */
export function dropRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let dropped = 0
    const drop = (chunk: Buffer) => {
      dropped += chunk.length
      if (dropped > MAX_DROPPED) end()
    }
    const end = () => {
      clearTimeout(overdue)
      request.off('data', drop).off('end', end).off('close', end)
      resolve()
    }
    const overdue = setTimeout(end, DROP_MS)
    request.on('data', drop).once('end', end).once('close', end)
  })
}
