import type { appendOf } from '@collab-spaces/api'
import type { Append } from '@collab-spaces/db/statements'

/** The id of a tenant. */
export type TenantId = Append['tenant_id']

export type PastEventInput = Parameters<typeof appendOf>[1]

/** A past event. In each space, events are in the order of their times. */
export interface PastEvent {
  readonly tenantId: TenantId
  /** In milliseconds since 1970. */
  readonly time: number
  readonly draft: PastEventInput
  /** A thread that starts at this time, on an earlier event of the space. */
  readonly thread: NewThread | null
}

export interface NewThread {
  readonly threadId: string
  readonly parentEventId: string
  readonly subject: string
  readonly postedBy: string
}
