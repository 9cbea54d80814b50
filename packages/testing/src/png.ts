import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Returns a chunk of a PNG. */
export function pngChunk(name: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

interface PngOptions {
  readonly width?: number
  readonly height?: number
  /** The value of every grey pixel. */
  readonly grey?: number
  /** Further chunks, before the pixels. */
  readonly chunks?: readonly Buffer[]
}

/** Returns a PNG of one colour. */
export function png({ width = 1, height = 1, grey = 0, chunks = [] }: PngOptions = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const line = Buffer.alloc(width + 1, grey)
  line[0] = 0
  const pixels = deflateSync(Buffer.concat(Array<Buffer>(height).fill(line)))
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
