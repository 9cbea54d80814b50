import { invalid } from '../errors.js'
import type { IncomingRequest } from '../incoming-webhook.js'
import type { JsonObject } from '../json.js'
import { LIMITS } from '../limits.js'

/** The format of our own: `{text, thread_key?, references?, metadata?}`. The log checks all but the key. */
export function fromJson({ text, thread_key, references, metadata }: JsonObject): IncomingRequest {
  if (typeof text !== 'string') throw invalid('text', text === undefined ? 'is required' : 'must be a string')
  const key = threadKey(thread_key)
  const thread = key === null ? undefined : { key, subject: key.replace(/\s+/g, ' ').trim() }
  return { kind: 'message', message: { text, thread, references, metadata } }
}

function threadKey(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || value.trim() === '' || value.length > LIMITS.incomingThreadKey) {
    throw invalid('thread_key', `must be a string of 1 to ${LIMITS.incomingThreadKey} characters`)
  }
  return value
}
