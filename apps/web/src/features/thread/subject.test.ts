import type { Event } from '@collab-spaces/client'
import { expect, it } from 'vitest'
import { subjectFrom } from './subject'

it.each([
  ['a short text as it is', 'Shall we go?', 'Shall we go?'],
  ['Markdown without its signs', '**Shall** we `go`?', 'Shall we go?'],
  ['"Thread" for white space', '  ', 'Thread'],
  ['"Thread" for invisible characters', '\u200b\u2800', 'Thread'],
  ['no control characters', 'a\u0007b \u001b[1mc', 'a b [1mc'],
  ['a long text, truncated after a word', 'word '.repeat(30), `${'word '.repeat(12).trim()}…`],
  ['a long row of emoji, truncated between them', '👩‍👩‍👧'.repeat(20), `${'👩‍👩‍👧'.repeat(6)}…`],
  ['a long word, truncated', 'w'.repeat(100), `${'w'.repeat(30)}…`],
])('the subject of a new thread is %s', (_, text, subject) => {
  expect(subjectFrom({ text } as Event)).toBe(subject)
})
