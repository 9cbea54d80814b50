import { pulling } from '@collab-spaces/db'
import { type ByteRange, unknownFile } from '@collab-spaces/domain'
import { type Caller, fairKeyOf } from '../procedure/credential.js'
import { type Conditions, Download, type WholeFile } from '../procedure/download.js'
import type { Services } from '../services.js'

/** Returns the download of a file, which reads a piece at a time. */
export function downloadOf(
  services: Services,
  caller: Caller,
  file: WholeFile,
  conditions: Conditions,
): Download<WholeFile> {
  const { contents } = services.database.files
  const turn = services.gate.turnsOf({ fairKey: fairKeyOf(caller), address: () => caller.address() })
  const bytes = (part: ByteRange): AsyncIterable<Buffer> => {
    let at = part.from
    const source = contents.read(file, part, turn)[Symbol.asyncIterator]()
    const pull = async () => {
      const { done, value } = await source.next()
      if (done && at < part.to) throw unknownFile()
      if (done) return null
      at += value.length
      return value
    }
    return pulling(pull, () => source.return?.())
  }
  return new Download(file, conditions, bytes)
}
