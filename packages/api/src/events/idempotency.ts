import { createHash } from 'node:crypto'
import type { Idempotency } from '@collab-spaces/db'

/** The request a key was sent with: the same key with another one is a mistake of the caller. */
export interface KeyedRequest {
  readonly operation: string
  readonly key: string | undefined
  readonly body: unknown
}

export function idempotencyOf({ operation, key, body }: KeyedRequest): Idempotency | null {
  if (key === undefined) return null
  return {
    key,
    requestHash: createHash('sha256')
      .update(JSON.stringify([operation, body]))
      .digest(),
  }
}
