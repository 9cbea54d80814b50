import { type ByteRange, CHUNK_BYTES, unknownFile } from '@collab-spaces/domain'
import { type Caller, fairKeyOf } from '../procedure/credential.js'
import { type Conditions, Download, type WholeFile } from '../procedure/download.js'
import type { Services } from '../services.js'

/** Returns the download of a file, which reads a chunk at a time; each waits for its turn. */
export function downloadOf(services: Services, caller: Caller, file: WholeFile, conditions: Conditions): Download {
  const { contents } = services.database.files
  const turn = { fairKey: fairKeyOf(caller), address: () => caller.address() }
  async function* bytes({ from, to }: ByteRange): AsyncGenerator<Buffer> {
    for (let at = from; at < to; ) {
      const index = Math.floor(at / CHUNK_BYTES)
      const chunk = await services.gate.run('chunk', turn, () => contents.read(file, index))
      if (!chunk) throw unknownFile()
      const begin = at - index * CHUNK_BYTES
      const part = chunk.subarray(begin, Math.min(chunk.length, begin + to - at))
      at += part.length
      yield part
    }
  }
  return new Download(file, conditions, bytes)
}
