import { invalid, isVisible, LIMITS, plainLine, shorten } from '@collab-spaces/domain'
import { call, type Exchange, type Outcome, refusalOf } from './exchange.js'
import { operationOf } from './tools.js'

const GET = operationOf('decision.get')
const START = operationOf('thread.start')

type Sent = Readonly<Record<string, unknown>>

/**
 * Returns an input in the thread of the decision that a call names, which is started if it has none yet. An input without
 * a decision stays as it is.
 */
export async function inDiscussion(exchange: Exchange, input: Sent, { decision_id }: Sent): Promise<Outcome> {
  if (decision_id === undefined || decision_id === null) return { value: input }
  for (const field of ['thread_id', 'parent_event_id', 'corrects', 'retracts']) {
    if ((input[field] ?? null) === null) continue
    return refusalOf(exchange, invalid('decision_id', `cannot be combined with ${field}`))
  }
  const { space_id } = input
  const found = await call(exchange, GET, { space_id, decision_id })
  if ('refused' in found) return found
  const { thread_id, text } = found.value as { thread_id: string | null; text: string }
  if (thread_id !== null) return { value: { ...input, thread_id } }
  const line = plainLine(text)
  const subject = isVisible(line) ? shorten(line, LIMITS.subject) : 'Decision'
  const started = await call(exchange, START, { space_id, decision_id, subject })
  if ('refused' in started) return started
  return { value: { ...input, thread_id: (started.value as { thread_id: string }).thread_id } }
}
