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

/** What a response says of the bytes in it. */
export interface DownloadDetails extends Pick<WholeFile, 'name' | 'contentType' | 'imageType' | 'size' | 'sha256'> {
  /** The download ends when the reader loses this space. */
  readonly spaceId: string | null
  /** How many seconds the reader may keep it; not at all by default. */
  readonly maxAge?: number
}

/** A response that is the bytes of a file. */
export class Download<Source extends DownloadDetails = DownloadDetails> {
  constructor(
    readonly file: Source,
    readonly conditions: Conditions,
    /** Reads a part. Throws if the file is deleted meanwhile. */
    readonly bytes: (part: ByteRange) => AsyncIterable<Buffer>,
  ) {}
}
