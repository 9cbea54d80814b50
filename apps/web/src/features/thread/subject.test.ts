import type { Event } from '@collab-spaces/client'
import { expect, it } from 'vitest'
import { subjectFrom } from './subject'

it.each([
  ['a short text as it is', 'Shall we go?', 'Shall we go?'],
  ['Markdown without its signs', '**Shall** we `go`?', 'Shall we go?'],
  ['nothing but white space', '  ', 'Thread'],
  ['nothing that can be seen', '\u200b\u2800', 'Thread'],
  ['controls, which no subject has', 'a\u0007b \u001b[1mc', 'a b [1mc'],
  ['a long text up to a word', 'word '.repeat(30), `${'word '.repeat(12).trim()}…`],
  ['a long text without spaces between its emoji', '👩‍👩‍👧'.repeat(20), `${'👩‍👩‍👧'.repeat(6)}…`],
  ['a long word up to a length', 'w'.repeat(100), `${'w'.repeat(30)}…`],
])('calls a thread after what it is about: %s', (_, text, subject) => {
  expect(subjectFrom({ text } as Event)).toBe(subject)
})
