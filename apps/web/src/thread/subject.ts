import type { Event } from '@collab-spaces/client'
import { plainText } from '../markdown/plain'
import { texts } from '../texts'

/** As long as a subject that is shown in a line. */
const LENGTH = 60

/** A thread is called as what it is about begins. */
export function subjectFrom({ text, redacted_at }: Event): string {
  const plain = redacted_at ? '' : plainText(text).trim()
  if (plain === '') return texts.thread.title
  if (plain.length <= LENGTH) return plain
  const cut = plain.slice(0, LENGTH)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LENGTH / 2)).trimEnd()}…`
}
