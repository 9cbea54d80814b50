import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MCP_PATH } from '../adapters/mcp.js'

/** The answers to the newest write of each connection. */
const writes = new WeakMap<Socket, ServerResponse>()

const READS = new Set(['GET', 'HEAD'])

/**
 * Lets a client that has sent a write and closed its half of the connection have its answer, as it would not know
 * otherwise whether to send it again. Node ends the connection of every such client; for all but writes this stays so,
 * since a reader that has left looks no different, and would be served until it is written to. A tool that is called may
 * wait for a minute, and a client that gives up on it only closes its half.
 */
export function answerHalfClosed(server: Server): void {
  // Node has had this switch from the beginning, but neither its documentation nor its types mention it.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('request', ({ method = '', url, socket }, response) => {
    if (!READS.has(method) && url !== MCP_PATH) writes.set(socket, response)
  })
  server.on('connection', (socket) => {
    socket.once('end', () => {
      if (writes.get(socket)?.writableFinished ?? true) socket.end()
    })
  })
}
