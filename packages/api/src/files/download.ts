import type { StoredFile } from '@collab-spaces/db'
import { type ByteRange, CHUNK_BYTES, unknownFile } from '@collab-spaces/domain'
import { type Caller, fairKeyOf } from '../procedure/credential.js'
import type { Services } from '../services.js'

/** The headers of a request for a part, or for a changed content. */
export interface Conditions {
  readonly range: string | undefined
  readonly ifRange: string | undefined
  readonly ifNoneMatch: string | undefined
}

/** A response that is the bytes of a file. */
export class Download {
  constructor(
    private readonly services: Services,
    private readonly caller: Caller,
    readonly file: StoredFile & { readonly contentId: string; readonly sha256: string },
    readonly conditions: Conditions,
  ) {}

  /** Reads a part, a chunk at a time; each waits for its turn. Throws if the file is deleted meanwhile. */
  async *bytes({ from, to }: ByteRange): AsyncGenerator<Buffer> {
    const { contents } = this.services.database.files
    const turn = { fairKey: fairKeyOf(this.caller), address: () => this.caller.address() }
    for (let at = from; at < to; ) {
      const index = Math.floor(at / CHUNK_BYTES)
      const chunk = await this.services.gate.run('chunk', turn, () => contents.read(this.file, index))
      if (!chunk) throw unknownFile()
      const begin = at - index * CHUNK_BYTES
      const part = chunk.subarray(begin, Math.min(chunk.length, begin + to - at))
      at += part.length
      yield part
    }
  }
}
