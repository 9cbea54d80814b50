import { cutText, type Event, isVisible } from '@collab-spaces/client'
import { plainText } from '../../shared/markdown/plain'
import { threadTexts } from '../history/texts'

/** As long as a subject that is shown in a line. */
const LENGTH = 60

/** Control characters that are not white space. No subject has them. */
const CONTROLS = /[^\P{Cc}\s]+/gu

/** A thread is called as what it is about begins. */
export function subjectFrom({ text, redacted_at }: Event): string {
  const plain = redacted_at ? '' : plainText(text.replace(CONTROLS, ' '))
  if (!isVisible(plain)) return threadTexts.title
  const cut = cutText(plain, LENGTH)
  if (cut === plain) return plain
  const lastSpace = cut.lastIndexOf(' ')
  const words = lastSpace < LENGTH / 2 ? cutText(cut, LENGTH / 2) : cut.slice(0, lastSpace)
  return `${words.trimEnd()}…`
}
