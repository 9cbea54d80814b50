import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, sep } from 'node:path'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { failed } from '../failure.js'
import { broken } from './record.js'
import { openZip } from './zip.js'

/** The files of an export, whatever holds them. */
export interface Archive {
  /** The paths of its files, with `/`. */
  readonly paths: readonly string[]
  has(path: string): boolean
  /** The content of a file, which counts towards the limit. */
  read(path: string): Promise<Readable>
  close(): Promise<void>
}

/** Where the files are, before their contents are counted. */
type Source = Pick<Archive, 'paths' | 'close'> & { open(path: string): Promise<Readable> }

const MIB = 1024 * 1024
/** JSON shrinks to a tenth, and seldom to a fiftieth. What grows more than this is made to fill a disk. */
const MAX_GROWTH = 100
const ALWAYS_ALLOWED = 64 * MIB

/** Opens an export: a zip or tar archive, a folder, or a single file. */
export async function openArchive(path: string): Promise<Archive> {
  const found = await stat(path).catch((error: Error) => {
    throw failed(`Cannot read ${path}: ${error.message}`)
  })
  if (found.isDirectory()) return limited(await openFolder(path), path, Number.POSITIVE_INFINITY)
  const limit = ALWAYS_ALLOWED + MAX_GROWTH * found.size
  const kind = await kindOf(path)
  if (kind === 'zip') return limited(await openZip(path), path, limit)
  if (kind === 'tar' || kind === 'gzip') return openTar(path, kind === 'gzip', limit)
  return limited(singleFile(path), path, Number.POSITIVE_INFINITY)
}

/** The kind of a file by its first bytes: names tell little. */
async function kindOf(path: string): Promise<'zip' | 'gzip' | 'tar' | 'plain'> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(262), 0, 262, 0)
    const start = buffer.subarray(0, bytesRead).toString('latin1')
    if (start.startsWith('PK')) return 'zip'
    if (start.startsWith('\x1f\x8b')) return 'gzip'
    return start.slice(257) === 'ustar' ? 'tar' : 'plain'
  } finally {
    await file.close()
  }
}

function limited(source: Source, name: string, limit: number): Archive {
  const known = new Set(source.paths)
  const count = meter(name, limit)
  return {
    ...source,
    has: (path) => known.has(path),
    read: async (path) => {
      const content = await source.open(path)
      const counted = count()
      pipeline(content, counted).catch((error: Error) => counted.destroy(error))
      return counted
    },
  }
}

/** Counts the bytes of all its streams together, and fails beyond the limit. */
function meter(name: string, limit: number) {
  let left = limit
  return (): Transform => {
    if (limit === Number.POSITIVE_INFINITY) return new PassThrough()
    return new Transform({
      transform(chunk: Buffer, _, done) {
        left -= chunk.length
        if (left >= 0) done(null, chunk)
        else done(failed(`${name} grows to more than ${MAX_GROWTH} times its size`, 'Unpack it, and import the folder'))
      },
    })
  }
}

const singleFile = (path: string): Source => ({
  paths: [basename(path)],
  open: async () => createReadStream(path),
  close: async () => {},
})

async function openFolder(root: string): Promise<Source> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'))
  return { paths, open: async (path) => createReadStream(join(root, path)), close: async () => {} }
}

/** A tar archive is read from its beginning only, so its files are unpacked: under numbers, as its names may be anything. */
async function openTar(path: string, isZipped: boolean, limit: number): Promise<Archive> {
  const { extract } = await import('tar-stream')
  const directory = await mkdtemp(join(tmpdir(), 'spaces-'))
  const close = () => rm(directory, { recursive: true, force: true })
  const places = new Map<string, string>()
  const entries = extract()
  const counted = meter(path, limit)()
  const stages: [Readable, ...(NodeJS.ReadWriteStream | NodeJS.WritableStream)[]] = isZipped
    ? [createReadStream(path), createGunzip(), counted, entries]
    : [createReadStream(path), counted, entries]
  const unpacking = pipeline(stages)
  unpacking.catch(() => {})
  try {
    for await (const entry of entries) {
      if (entry.header.type !== 'file') {
        entry.resume()
        continue
      }
      const place = join(directory, String(places.size))
      places.set(entry.header.name.replace(/^(\.?\/)+/, ''), place)
      await pipeline(entry, createWriteStream(place, { mode: 0o600 }))
    }
    await unpacking
  } catch (error) {
    await close()
    throw (error as Error).name === 'Failure' ? error : broken(path, error)
  }
  const source = {
    paths: [...places.keys()],
    open: async (name: string) => createReadStream(places.get(name) as string),
    close,
  }
  return limited(source, path, Number.POSITIVE_INFINITY)
}
