import { cutText, type Event, excerptParts, isVisible } from '@collab-spaces/client'
import { plainText } from '../../shared/markdown/plain'
import { texts } from '../../shared/texts'
import { threadTexts } from '../history/texts'

/** In characters. */
const MAX_SUBJECT_LENGTH = 60

/** Control characters other than white space, which no subject contains. */
const CONTROLS = /[^\P{Cc}\s]+/gu

/** Returns the subject of a thread: the start of the event on which it starts. */
export function subjectFrom(event: Event): string {
  if (event.redacted_at ?? event.retracted_by) return threadTexts.title
  const { text, files } = excerptParts(event)
  return text === '' && files ? cutText(texts.sent(files.first), MAX_SUBJECT_LENGTH) : subjectOf(text)
}

/** Returns the start of a text as a subject. */
function subjectOf(text: string): string {
  const plain = plainText(text.replace(CONTROLS, ' '))
  if (!isVisible(plain)) return threadTexts.title
  const cut = cutText(plain, MAX_SUBJECT_LENGTH)
  if (cut === plain) return plain
  const lastSpace = cut.lastIndexOf(' ')
  const words = lastSpace < MAX_SUBJECT_LENGTH / 2 ? cutText(cut, MAX_SUBJECT_LENGTH / 2) : cut.slice(0, lastSpace)
  return `${words.trimEnd()}…`
}
