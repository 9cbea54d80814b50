import { type Home, SpacesError } from '@collab-spaces/client'
import {
  deserializeMessage,
  type JSONRPCMessage,
  ProtocolErrorCode,
  StreamableHTTPClientTransport,
  serializeMessage,
} from '@modelcontextprotocol/client'
import type { Account } from '../../account/account.js'
import { explain } from '../../explain.js'
import type { Output } from '../../terminal/output.js'
import { type Line, linesOf, textOf } from '../../transfer/lines.js'
import { Calls, type Id } from './calls.js'

/**
 * Passes messages between standard input and output and the MCP server of an installation, until the input has ended
 * and all requests are answered, or the signal fires. Requests are answered even if the server cannot be reached.
 */
export async function bridge(
  home: Home<RequestInit, Response>,
  { token, installation_id }: Account,
  out: Output,
  signal: AbortSignal,
): Promise<void> {
  const server = new StreamableHTTPClientTransport(new URL(`${home.url}/mcp`), {
    fetch: (url, init = {}) =>
      home.reach(async () => {
        const response = await home.fetch(String(url), init)
        if (response.status === 421) throw SpacesError.refused(response, await response.text())
        return response
      }),
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
  // Unread input is held by the stream: a host reads what it has asked for.
  const write = (message: JSONRPCMessage) => out.message(serializeMessage(message))
  server.onmessage = (message) => {
    write(message)
    calls.end(message)
  }
  await server.start()

  const passOn = async (message: JSONRPCMessage): Promise<void> => {
    if (calls.isCancelled(message)) return
    const call = calls.begin(message)
    try {
      await server.send(message, call?.options)
      await call?.ended
    } catch (error) {
      if (call && calls.end(call)) write(failure(call.id, error as Error))
    }
  }
  const passAllOn = async () => {
    const underWay = new Set<Promise<void>>()
    for await (const line of linesOf(process.stdin)) {
      const message = messageIn(line)
      if (message) {
        const passing = passOn(message).finally(() => underWay.delete(passing))
        underWay.add(passing)
      } else if (line.bytes.toString().trim() !== '')
        out.note(`Line ${line.number} of the input is not a JSON-RPC message`)
    }
    await Promise.all(underWay)
  }

  const interrupted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([passAllOn(), interrupted])
  await server.close()
}

function messageIn(line: Line): JSONRPCMessage | null {
  try {
    return deserializeMessage(textOf(line))
  } catch {
    return null
  }
}

/** The answer to a host when the server has not answered. */
function failure(id: Id, error: Error): JSONRPCMessage {
  const { detail, hint } = explain(error)
  const message = error instanceof SpacesError && hint ? `${detail}. ${hint}` : detail
  return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InternalError, message } }
}
