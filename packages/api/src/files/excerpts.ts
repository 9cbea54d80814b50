import { BucketFault } from '@collab-spaces/db'
import {
  type ContextMaterial,
  codePoints,
  cutText,
  type EventExcerpt,
  type Excerpt,
  type ReadableSpace,
} from '@collab-spaces/domain'
import { type Caller, fairKeyOf } from '../procedure/credential.js'
import type { Services } from '../services.js'
import { textOfFile } from './text.js'

/** The maximum size of a file of which a context shows the first part. */
const MAX_FILE_BYTES = 64 * 1024
/** How many files a context reads at most. */
const MAX_FILES = 10

/** Adds the first parts of small text files, of at most so many characters: of the event in focus, and then the newest. */
export async function withFileTexts(
  services: Services,
  caller: Caller,
  space: ReadableSpace,
  material: ContextMaterial,
  maxExcerpt: number,
): Promise<ContextMaterial> {
  const { focus, matches, newest } = material
  const events = [...(focus ?? []), ...newest.toReversed(), ...(matches ?? [])]
  const small = events.flatMap(({ files }) => files).filter(({ size }) => size <= MAX_FILE_BYTES)
  const fileIds = [...new Set(small.map(({ file_id }) => file_id))].slice(0, MAX_FILES)
  if (fileIds.length === 0) return material
  const texts = new Map<string, Excerpt>()
  const turn = services.gate.turnsOf({ fairKey: fairKeyOf(caller), address: () => caller.address() })
  try {
    for (const file of await services.database.files.stored(caller, space, fileIds)) {
      const text = await textOfFile(services.database.files.contents, file, turn)
      if (text !== null) texts.set(file.fileId, { text: cutText(text, maxExcerpt), length: codePoints(text) })
    }
  } catch (error) {
    // The context is complete without the texts of files that cannot be read now.
    if (!(error instanceof BucketFault)) throw error
  }
  const withTexts = ({ files, ...event }: EventExcerpt): EventExcerpt => ({
    ...event,
    files: files.map((file) => ({ ...file, excerpt: texts.get(file.file_id) })),
  })
  return {
    ...material,
    focus: focus?.map(withTexts) ?? null,
    matches: matches?.map(withTexts) ?? null,
    newest: newest.map(withTexts),
  }
}
