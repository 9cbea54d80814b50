import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { continuationAt } from './continuation'

/** Returns the text and caret, written `|`, after Enter was pressed at the caret. */
function afterEnter(written: string): string {
  const at = written.indexOf('|')
  const text = `${written.slice(0, at)}\n${written.slice(at + 1)}`
  const change = continuationAt(text, at + 1)
  if (!change) return `${text.slice(0, at + 1)}|${text.slice(at + 1)}`
  return `${text.slice(0, change.from)}${change.insert}|${text.slice(change.to)}`
}

describe('a new line', () => {
  it.each([
    ['- one|', '- one\n- |'],
    ['* one|', '* one\n* |'],
    ['a\n\n  + one|', 'a\n\n  + one\n  + |'],
    ['1. one|', '1. one\n2. |'],
    ['9) nine|', '9) nine\n10) |'],
    ['- [x] done|', '- [x] done\n- [ ] |'],
    ['1. [ ] task|', '1. [ ] task\n2. [ ] |'],
    ['> said|', '> said\n> |'],
    ['> > - said|', '> > - said\n> > - |'],
    ['    code|', '    code\n    |'],
    ['- one| two', '- one\n- | two'],
    ['- | two', '- \n- | two'],
  ])('continues %j as %j', (written, expected) => {
    expect(afterEnter(written)).toBe(expected)
  })

  it.each([
    ['- one\n- |', '- one\n|'],
    ['- one\n  - |', '- one\n|'],
    ['1. |', '|'],
    ['- [ ] |\nafter', '|\nafter'],
    ['> |', '|'],
    ['> > |', '> |'],
    ['> - |', '> |'],
    ['    |', '|'],
  ])('ends %j as %j', (written, expected) => {
    expect(afterEnter(written)).toBe(expected)
  })

  it.each(['text|', '|- one', '-|', '-one|', '**bold**|', '- - -|', '* * *|', '2026|', '```\n- code|'])(
    'continues nothing after %j',
    (written) => {
      const at = written.indexOf('|')
      expect(continuationAt(written.replace('|', '\n'), at + 1)).toBeNull()
    },
  )

  it('keeps the indentation of an open code block', () => {
    expect(afterEnter('```\n  - a|')).toBe('```\n  - a\n  |')
  })

  it('changes only the end of the line above, in any text', () => {
    const lines = fc.array(fc.constantFrom('- ', '> ', '1. ', '[ ] ', '  ', 'a', '\n', '```', '*', '😀', '\t'))
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const above = before.join('')
        const text = `${above}\n${after.join('')}`
        const change = continuationAt(text, above.length + 1)
        if (!change) return
        expect(change.to).toBe(above.length + 1)
        expect(change.from).toBeGreaterThanOrEqual(above.lastIndexOf('\n') + 1)
        // A change either adds to the new line, or removes an item without text.
        if (change.from < change.to) expect(text.slice(change.from, change.to)).not.toMatch(/a|😀/)
        else expect(change.insert).not.toBe('')
      }),
    )
  })
})
