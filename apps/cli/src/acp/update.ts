import type { ToolCallUpdate } from '@agentclientprotocol/sdk'

/** A message of an agent while it works, as far as it matters here. */
export type Update =
  | { readonly kind: 'text'; readonly text: string; readonly messageId: string | null }
  | { readonly kind: 'tool'; readonly call: ToolCallUpdate }
  /** A notice from its program to the person who runs it. */
  | { readonly kind: 'notice'; readonly text: string }

/**
 * An update of a session; null for a kind that does not matter here. Agents send kinds that are newer than the protocol
 * that is known here, which are no errors.
 */
export function updateIn(params: unknown): { readonly sessionId: string; readonly update: Update | null } {
  const { sessionId, update } = object(params)
  return { sessionId: String(sessionId), update: known(object(update)) }
}

function known({ sessionUpdate, content, messageId, ...call }: Readonly<Record<string, unknown>>): Update | null {
  if (sessionUpdate === 'agent_message_chunk') {
    const { type, text } = object(content)
    if (type !== 'text' || typeof text !== 'string') return null
    return { kind: 'text', text, messageId: typeof messageId === 'string' ? messageId : null }
  }
  if (sessionUpdate === 'notice') {
    return {
      kind: 'notice',
      text: [call.title, call.description].filter((part) => typeof part === 'string').join(': '),
    }
  }
  if (sessionUpdate !== 'tool_call' && sessionUpdate !== 'tool_call_update') return null
  if (typeof call.toolCallId !== 'string') return null
  const { toolCallId, title, kind, rawInput } = call
  return {
    kind: 'tool',
    call: {
      toolCallId,
      ...(typeof title === 'string' && { title }),
      ...(typeof kind === 'string' && { kind: kind as NonNullable<ToolCallUpdate['kind']> }),
      ...(rawInput !== undefined && { rawInput }),
    },
  }
}

const object = (value: unknown): Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {}
