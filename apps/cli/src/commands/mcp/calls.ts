import type { JSONRPCMessage } from '@modelcontextprotocol/client'

/** How a host names a call. */
export type Id = string | number

/** A call under way. */
export interface Call {
  readonly id: Id
  /** Options of its request, which cancel it and observe its end. */
  readonly options: { readonly requestSignal: AbortSignal; readonly onRequestStreamEnd: () => void }
  /** Resolves at its response or cancellation; rejects if the stream ends without a response. */
  readonly ended: Promise<void>
}

interface PendingCall {
  readonly cancellation: AbortController
  end(): void
}

/** The pending calls. A call is cancelled by the end of its request. */
export class Calls {
  readonly #pending = new Map<Id, PendingCall>()

  /** Null for a message without a response. */
  begin(message: JSONRPCMessage): Call | null {
    if (!('method' in message) || !('id' in message)) return null
    const { id } = message
    const cancellation = new AbortController()
    let onRequestStreamEnd = () => {}
    const ended = new Promise<void>((resolve, reject) => {
      this.#pending.get(id)?.end()
      this.#pending.set(id, { cancellation, end: resolve })
      onRequestStreamEnd = () => reject(new Error('The server ended its answer before it was complete'))
    })
    // It may fail while the message is still being sent, before its promise is awaited.
    ended.catch(() => {})
    return { id, options: { requestSignal: cancellation.signal, onRequestStreamEnd }, ended }
  }

  /** Whether what is answered here, or given up, was still under way. */
  end(answer: JSONRPCMessage | Call): boolean {
    if ('method' in answer || !('id' in answer) || answer.id === undefined) return false
    this.#pending.get(answer.id)?.end()
    return this.#pending.delete(answer.id)
  }

  /** Ends the call that a message cancels. False for any other message. */
  isCancelled(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return false
    const id = message.params?.requestId as Id
    const call = this.#pending.get(id)
    this.#pending.delete(id)
    call?.cancellation.abort()
    call?.end()
    return true
  }
}
