import type { appendOf } from '@collab-spaces/api'
import type { Append } from '@collab-spaces/db/statements'

/** The id of a tenant. */
export type Scope = Append['tenant_id']

export type PastEventInput = Parameters<typeof appendOf>[1]

/** In each space they come in the order of their times. */
export interface PastEvent {
  readonly tenantId: Scope
  /** In milliseconds since 1970. */
  readonly time: number
  readonly draft: PastEventInput
  /** A thread that is started at this time, on an earlier event of the space. */
  readonly thread: NewThread | null
}

export interface NewThread {
  readonly threadId: string
  readonly parentEventId: string
  readonly subject: string
  readonly postedBy: string
}
