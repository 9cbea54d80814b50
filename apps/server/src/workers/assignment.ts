import type { ConnectionOptions } from '@collab-spaces/db'

/** What the primary process sends to a worker, whose storage it has opened and migrated. */
export interface Assignment {
  readonly connection: ConnectionOptions
  readonly data: string
  /** The data directory; missing with an external database. */
  readonly directory?: string
  /** Whether it serves like others, so that its start has nothing new to log. */
  readonly isReplica: boolean
}

/** What a worker sends to the primary process: that it awaits its assignment, and then how its start ended. */
export type Report =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'ready'; readonly url: string; readonly hasPage: boolean }
  | { readonly kind: 'failed'; readonly message: string }
