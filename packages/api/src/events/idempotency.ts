import { hash } from 'node:crypto'
import type { Idempotency } from '@collab-spaces/db'

/** The request a key was sent with: using the key with a different one is an error. */
export interface KeyedRequest {
  readonly operation: string
  readonly key: string | undefined
  readonly body: unknown
}

export function idempotencyOf({ operation, key, body }: KeyedRequest): Idempotency | null {
  if (key === undefined) return null
  return {
    key,
    requestHash: hash('sha256', JSON.stringify([operation, body]), 'buffer'),
  }
}
