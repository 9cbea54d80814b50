import { type ByteRange, unknownFile } from '@collab-spaces/domain'
import { type Caller, fairKeyOf } from '../procedure/credential.js'
import { type Conditions, Download, type WholeFile } from '../procedure/download.js'
import type { Services } from '../services.js'

/** Returns the download of a file, which reads a piece at a time. */
export function downloadOf(services: Services, caller: Caller, file: WholeFile, conditions: Conditions): Download {
  const { contents } = services.database.files
  const turn = services.gate.turnsOf({ fairKey: fairKeyOf(caller), address: () => caller.address() })
  async function* bytes(part: ByteRange): AsyncGenerator<Buffer> {
    let at = part.from
    for await (const piece of contents.read(file, part, turn)) {
      at += piece.length
      yield piece
    }
    if (at < part.to) throw unknownFile()
  }
  return new Download(file, conditions, bytes)
}
