import type { StoredFile } from '@collab-spaces/db'
import type { ByteRange } from '@collab-spaces/domain'

/** The headers of a request for a part, or for a changed content. */
export interface Conditions {
  readonly range: string | undefined
  readonly ifRange: string | undefined
  readonly ifNoneMatch: string | undefined
}

/** A file whose bytes are stored. */
export interface WholeFile extends StoredFile {
  readonly contentId: string
  readonly sha256: string
}

/** A response that is the bytes of a file. */
export class Download {
  constructor(
    readonly file: WholeFile,
    readonly conditions: Conditions,
    /** Reads a part. Throws if the file is deleted meanwhile. */
    readonly bytes: (part: ByteRange) => AsyncIterable<Buffer>,
  ) {}
}
