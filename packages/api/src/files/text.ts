import type { Database, StoredFile, Turn } from '@collab-spaces/db'
import { textPartOf } from '@collab-spaces/domain'

type Contents = Pick<Database['files']['contents'], 'read'>

/** Returns the text of a file. Null for other content, and for a file that is deleted meanwhile. */
export async function textOfFile(
  contents: Contents,
  { tenantId, contentId, imageType, size }: Pick<StoredFile, 'tenantId' | 'contentId' | 'imageType' | 'size'>,
  turn: Turn,
): Promise<string | null> {
  if (contentId === null || imageType !== null) return null
  const pieces: Buffer[] = []
  for await (const piece of contents.read({ tenantId, contentId }, { from: 0, to: size }, turn)) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  return bytes.length < size ? null : (textPartOf(bytes, { isFirst: true, isLast: true })?.text ?? null)
}
