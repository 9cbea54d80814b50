import type { ErasureRequest } from '@collab-spaces/db'
import type { Redactable } from '@collab-spaces/domain'
import type pg from 'pg'

export interface Redaction extends ErasureRequest {
  readonly noun: Redactable
  /** The id of the redacted object. */
  readonly subjectId: string
}

/** The outcome of a redaction in one place. Hashes are those of the original entries in the Merkle tree. */
export interface RedactionOutcome {
  /** False if nothing was left to redact. */
  readonly isNew: boolean
  readonly leafHash?: Buffer
  /** By the position of the act. */
  readonly actHashes?: Readonly<Record<string, string>>
}

/** Erases the content of one place in a locked space. Null for an unknown id. */
export type Redact = (client: pg.Client, redaction: Redaction, now: Date) => Promise<RedactionOutcome | null>
