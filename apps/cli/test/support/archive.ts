import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip, deflateRawSync } from 'node:zlib'
import { pack } from 'tar-stream'

/** The files of an archive: strings and buffers as they are, everything else as JSON. */
export type Files = Readonly<Record<string, unknown>>

const bytesOf = (content: unknown): Buffer => {
  if (Buffer.isBuffer(content)) return content
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
}

/** Writes a zip archive, whose names may be invalid. */
export async function writeZip(path: string, files: Files): Promise<void> {
  const contents: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = bytesOf(content)
    const deflated = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(deflated.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), deflated])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, rest, Buffer.from(name))
    contents.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  const count = Object.keys(files).length
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  await writeFile(path, Buffer.concat([...contents, listed, end]))
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  return crc
})

/** `zlib.crc32` exists since Node 22 only. */
function crc32(bytes: Buffer): number {
  let crc = -1
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] as number)
  return ~crc >>> 0
}

/** Writes a compressed tar archive. */
export async function writeTar(path: string, files: Files): Promise<void> {
  const archive = pack()
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, bytesOf(content))
  archive.finalize()
  await pipeline(archive, createGzip(), createWriteStream(path))
}
