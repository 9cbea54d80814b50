import { invalid, unknown } from './errors.js'
import { imageTypeOf } from './image-type.js'
import { LIMITS } from './limits.js'

export const unknownPicture = () => unknown('Picture')

/** What an image is made of: its size, and the parts of its file that show it. */
interface Image {
  readonly width: number
  readonly height: number
  readonly parts: readonly Uint8Array[]
}

/** Takes an image apart. Null for an incomplete or animated one, and for one with further bytes after it. */
type Reader = (bytes: Uint8Array) => Image | null

/** Which images a picture can be. A script in an SVG would run. */
const READERS: Readonly<Record<string, Reader>> = {
  'image/png': pngIn,
  'image/jpeg': jpegIn,
  'image/webp': webpIn,
}

const readerOf = (bytes: Uint8Array): Reader | undefined => READERS[imageTypeOf(bytes) ?? '']

/** Returns the type of a stored picture by its bytes; null for any other content, such as of a tenant that was imported. */
export const pictureTypeOf = (bytes: Uint8Array): string | null => (readerOf(bytes) ? imageTypeOf(bytes) : null)

/** Returns what is wrong with an image as a picture; null for a right one. */
export function pictureProblem(bytes: Uint8Array): string | null {
  if (bytes.length > LIMITS.pictureBytes) return `must be at most ${LIMITS.pictureBytes.toLocaleString('en')} bytes`
  const image = readerOf(bytes)?.(bytes)
  if (!image || Math.min(image.width, image.height) === 0) {
    return 'must be a whole PNG, JPEG or WebP image that is not animated'
  }
  const { width, height } = image
  // A small file can have a size that takes gigabytes to show.
  const fits = Math.max(width, height) <= LIMITS.pictureSide
  return fits ? null : `must be at most ${LIMITS.pictureSide} × ${LIMITS.pictureSide} pixels, not ${width} × ${height}`
}

/** Returns an image without what does not show, such as where a photo was taken, and comments. 400 for what is no picture. */
export function pictureOf(bytes: Uint8Array): Uint8Array {
  const problem = pictureProblem(bytes)
  const image = problem === null ? readerOf(bytes)?.(bytes) : null
  if (!image) throw invalid('content', problem ?? 'must be an image')
  return joined(image.parts)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)
const nameAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

/** Of the chunks that may be left out, only transparency shows. */
const SHOWN_IN_PNG = /^([A-Z]...|tRNS)$/
const PNG_SIGNATURE = 8
const IHDR_END = 33

/** A signature, and chunks of a length, a name, content and a checksum. */
function pngIn(bytes: Uint8Array): Image | null {
  const view = viewOf(bytes)
  if (bytes.length < IHDR_END || nameAt(bytes, 12) !== 'IHDR') return null
  const parts = [bytes.subarray(0, PNG_SIGNATURE)]
  let name = ''
  let at = PNG_SIGNATURE
  while (name !== 'IEND') {
    if (at + 12 > bytes.length) return null
    const end = at + 12 + view.getUint32(at)
    if (end > bytes.length) return null
    name = nameAt(bytes, at + 4)
    if (SHOWN_IN_PNG.test(name)) parts.push(bytes.subarray(at, end))
    at = end
  }
  return at === bytes.length ? { width: view.getUint32(16), height: view.getUint32(20), parts } : null
}

const [RST0, RST7, SOI, EOI, SOS] = [0xd0, 0xd7, 0xd8, 0xd9, 0xda] as const
const [APP0, APP2, APP14, APP15, COM] = [0xe0, 0xe2, 0xee, 0xef, 0xfe] as const
/** The markers of tables among those that name how an image is encoded. */
const NO_FRAMES: readonly number[] = [0xc4, 0xc8, 0xcc]

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.includes(marker)

/** Whether a segment shows: not the place of a photo, in APP1, nor comments. The meaning of colours is in APP2 and APP14. */
function isShownInJpeg(bytes: Uint8Array, marker: number, at: number): boolean {
  if (marker === APP2) return nameAt(bytes, at + 4) === 'ICC_'
  return marker < APP0 || marker === APP0 || marker === APP14 || (marker > APP15 && marker !== COM)
}

/** Markers, each with a segment of a length; after the one of a scan, the encoded image until the next marker. */
function jpegIn(bytes: Uint8Array): Image | null {
  const view = viewOf(bytes)
  const parts = [bytes.subarray(0, 2)]
  let [width, height, at] = [0, 0, 2]
  while (at + 4 <= bytes.length) {
    const marker = view.getUint8(at + 1)
    if (view.getUint8(at) !== 0xff || marker === SOI) return null
    const end = at + 2 + view.getUint16(at + 2)
    if (end > bytes.length) return null
    if (isFrame(marker)) {
      // A second frame would be another size.
      if (width > 0 || end < at + 9) return null
      height = view.getUint16(at + 5)
      width = view.getUint16(at + 7)
    }
    const next = marker === SOS ? scanEnd(bytes, end) : end
    if (isShownInJpeg(bytes, marker, at)) parts.push(bytes.subarray(at, next))
    at = next
    if (at + 2 === bytes.length && view.getUint16(at) === 0xff00 + EOI) {
      return { width, height, parts: [...parts, bytes.subarray(at)] }
    }
  }
  return null
}

/** Returns where the next marker after a scan is. */
function scanEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    const marker = bytes[at + 1] as number
    const isEncoded = marker === 0 || marker === 0xff || (marker >= RST0 && marker <= RST7)
    if (bytes[at] === 0xff && !isEncoded) return at
  }
  return bytes.length
}

const SHOWN_IN_WEBP: readonly string[] = ['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L']
const RIFF_HEADER = 12
/** Flags of the chunk VP8X: an animation, and metadata, which are left out. */
const [ANIMATION, METADATA] = [0x02, 0x0c] as const

/** A header with the length, and chunks of a name, a length and content, each of an even length. */
function webpIn(bytes: Uint8Array): Image | null {
  const view = viewOf(bytes)
  if (bytes.length < RIFF_HEADER + 18 || view.getUint32(4, true) + 8 !== bytes.length) return null
  const parts: Uint8Array[] = []
  for (let at = RIFF_HEADER; at < bytes.length; ) {
    if (at + 8 > bytes.length) return null
    const size = view.getUint32(at + 4, true)
    const end = at + 8 + size + (size % 2)
    if (end > bytes.length) return null
    if (SHOWN_IN_WEBP.includes(nameAt(bytes, at))) parts.push(new Uint8Array(bytes.subarray(at, end)))
    at = end
  }
  const [first] = parts
  const size = first ? sizeInWebp(first) : null
  if (!size || !first || !parts.some((part) => /^VP8[ L]$/.test(nameAt(part, 0)))) return null
  if (nameAt(first, 0) === 'VP8X') first[8] = (first[8] as number) & ~METADATA
  const header = new Uint8Array(bytes.subarray(0, RIFF_HEADER))
  viewOf(header).setUint32(
    4,
    parts.reduce((sum, { length }) => sum + length, 4),
    true,
  )
  return { ...size, parts: [header, ...parts] }
}

/** Returns the size of an image by its first chunk; null for an animation. Decoders refuse frames of another size. */
function sizeInWebp(chunk: Uint8Array): Pick<Image, 'width' | 'height'> | null {
  const view = viewOf(chunk)
  if (chunk.length < 18) return null
  switch (nameAt(chunk, 0)) {
    case 'VP8 ':
      return { width: view.getUint16(14, true) & 0x3fff, height: view.getUint16(16, true) & 0x3fff }
    case 'VP8L': {
      const packed = view.getUint32(9, true)
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      if (view.getUint8(8) & ANIMATION) return null
      return { width: (view.getUint32(11, true) >>> 8) + 1, height: (view.getUint32(14, true) >>> 8) + 1 }
    default:
      return null
  }
}
