import type { IncomingMessage } from 'node:http'

/** How much of a refused body is still read, and for how long. */
const MAX_DROPPED = 16 * 1024 * 1024
const DROP_MS = 2_000

/**
 * Reads and drops the rest of a refused body for a moment. A client that is still sending when its connection is closed may
 * never see the response. A body that does not end in time is refused anyway.
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
