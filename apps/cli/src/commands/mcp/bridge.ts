import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type JSONRPCMessage, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Account } from '../../account/account.js'

/**
 * Passes messages between standard input and output and the MCP server at an address, until the input ends or the
 * signal fires. What is sent to the server is answered, even if the server cannot be reached.
 */
export async function bridge(url: URL, { token, installation_id }: Account, signal: AbortSignal): Promise<void> {
  const host = new StdioServerTransport()
  const server = new StreamableHTTPClientTransport(url, {
    requestInit: {
      headers: {
        authorization: `Bearer ${token}`,
        ...(installation_id !== undefined && { 'x-installation-id': installation_id }),
      },
    },
    // The token is for this server only.
    redirectPolicy: 'same-origin',
  })
  const calls = new Calls()
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    host.onclose = resolve
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

  server.onmessage = (message) => {
    calls.answered(message)
    void host.send(message)
  }
  host.onmessage = (message) => {
    if (calls.isCancelled(message)) return
    server.send(message, calls.begun(message)).catch((error: Error) => {
      if ('method' in message && 'id' in message && calls.answered(message)) void host.send(failure(message.id, error))
    })
  }
  await server.start()
  await host.start()
  await ended
  await Promise.all([server.close(), host.close()])
}

type Id = string | number

/** What a host is told when the server has not answered. */
const failure = (id: Id, { message }: Error): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: ProtocolErrorCode.InternalError, message },
})

/** The calls under way. The server learns that one is cancelled by the end of its request. */
class Calls {
  readonly #underWay = new Map<Id, AbortController>()

  /** How to send a message, so that it can be cancelled if it is a call. */
  begun(message: JSONRPCMessage): { requestSignal?: AbortSignal } {
    if (!('method' in message) || !('id' in message)) return {}
    const call = new AbortController()
    this.#underWay.set(message.id, call)
    return { requestSignal: call.signal }
  }

  /** Whether it was still under way. */
  answered(message: JSONRPCMessage): boolean {
    return 'id' in message && message.id !== undefined && this.#underWay.delete(message.id)
  }

  /** Ends the call that a message cancels. False for any other message. */
  isCancelled(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return false
    const id = message.params?.requestId as Id
    this.#underWay.get(id)?.abort()
    this.#underWay.delete(id)
    return true
  }
}
