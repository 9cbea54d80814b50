import type { JSONRPCMessage } from '@modelcontextprotocol/client'

/** How a host names a call. */
export type Id = string | number

/** A call under way. */
export interface Call {
  readonly id: Id
  /** How it is sent, so that it can be cancelled and its end is noticed. */
  readonly options: { readonly requestSignal: AbortSignal; readonly onRequestStreamEnd: () => void }
  /** Resolves when it is answered or cancelled, and rejects when it never will be answered. */
  readonly ended: Promise<void>
}

interface UnderWay {
  readonly cancellation: AbortController
  end(): void
}

/** The calls under way. The server learns that one is cancelled by the end of its request. */
export class Calls {
  readonly #underWay = new Map<Id, UnderWay>()

  /** Null for a message that is not answered. */
  begin(message: JSONRPCMessage): Call | null {
    if (!('method' in message) || !('id' in message)) return null
    const { id } = message
    const cancellation = new AbortController()
    let onRequestStreamEnd = () => {}
    const ended = new Promise<void>((resolve, reject) => {
      this.#underWay.get(id)?.end()
      this.#underWay.set(id, { cancellation, end: resolve })
      onRequestStreamEnd = () => reject(new Error('The server ended its answer before it was complete'))
    })
    // It may fail while the message is still being sent, before its promise is awaited.
    ended.catch(() => {})
    return { id, options: { requestSignal: cancellation.signal, onRequestStreamEnd }, ended }
  }

  /** Whether what is answered here, or given up, was still under way. */
  end(answer: JSONRPCMessage | Call): boolean {
    if ('method' in answer || !('id' in answer) || answer.id === undefined) return false
    this.#underWay.get(answer.id)?.end()
    return this.#underWay.delete(answer.id)
  }

  /** Ends the call that a message cancels. False for any other message. */
  isCancelled(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return false
    const id = message.params?.requestId as Id
    const call = this.#underWay.get(id)
    this.#underWay.delete(id)
    call?.cancellation.abort()
    call?.end()
    return true
  }
}
