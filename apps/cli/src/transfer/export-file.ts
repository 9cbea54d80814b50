import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { failed } from '../failure.js'
import { linesOf, textOf } from './lines.js'
import { isTornRecord, recordIn } from './record.js'

/**
 * Opens the file of an export: creates it, for this user alone, or continues after its last complete line. Leaves any
 * file alone that is no export. Returns what it holds, too: the last event, how many events, and the threads.
 */
export async function openExport(path: string, spaceId: string) {
  const file = await open(path, 'a+', 0o600).catch((error: Error) => {
    throw failed(`Cannot write to ${path}: ${error.message}`)
  })
  try {
    const { length, ...found } = await earlierExport(path, spaceId)
    await file.truncate(length)
    return { file, ...found }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function earlierExport(path: string, spaceId: string) {
  const threads = new Set<string>()
  let cursor: string | undefined
  let events = 0
  let length = 0
  for await (const line of linesOf(createReadStream(path))) {
    const { number, bytes, isTorn } = line
    // A torn line may end within a character.
    if (isTorn && isTornRecord(bytes.toString())) break
    const record = isTorn ? null : recordIn(textOf(line))
    const { space_id } = record === null ? {} : 'event' in record ? record.event : record.thread
    if (!record || space_id !== spaceId) {
      throw failed(`${path}, line ${number}: not an export of ${spaceId}`, 'Choose another file with --output')
    }
    if ('thread' in record) threads.add(record.thread.thread_id)
    else {
      cursor = record.event.event_id
      events += 1
    }
    length += bytes.length + 1
  }
  return { cursor, events, threads, length }
}
