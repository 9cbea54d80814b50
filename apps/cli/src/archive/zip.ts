import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { Entry, ZipFile } from 'yauzl'
import { broken } from './record.js'

/** Opens a zip archive. A name that leads out of it, such as `../x`, is refused with the archive. */
export async function openZip(path: string) {
  const { open } = (await import('yauzl')).default
  const openFile = promisify<string, object, ZipFile>(open)
  const zip = await openFile(path, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
    throw broken(path, error)
  })
  const entries = await entriesOf(zip).catch((error: unknown) => {
    zip.close()
    throw broken(path, error)
  })
  const read = promisify<Entry, Readable>(zip.openReadStream.bind(zip))
  return {
    paths: [...entries.keys()],
    open: (name: string) =>
      read(entries.get(name) as Entry).catch((error: unknown) => {
        throw broken(path, error)
      }),
    close: async () => zip.close(),
  }
}

function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.once('end', () => resolve(entries))
    zip.once('error', reject)
    zip.readEntry()
  })
}
