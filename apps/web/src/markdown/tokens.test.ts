import { describe, expect, it } from 'vitest'
import { parsed } from './tokens'

const isPlain = (text: string) => 'plain' in parsed(text)

describe('text that would take long to read as Markdown', () => {
  it.each([
    ['nested quotes', '>'.repeat(4_000)],
    ['nested quotes, set apart', '> '.repeat(12_000)],
    ['nested lists', '1. '.repeat(12_000)],
    ['a long gap', `a${' '.repeat(30_000)}b`],
    ['what may be emphasis', '_a'.repeat(20_000)],
    ['what may be an address', `${'-'.repeat(12_000)}@`],
    ['many paragraphs of that', `${'***a** '.repeat(500)}\n\n`.repeat(25)],
  ])('stays as it is: %s', (_title, text) => {
    expect(parsed(text)).toEqual({ plain: text })
  })

  it('is none of what people write', () => {
    const paragraph = 'The quick brown fox jumps over the **lazy** dog. '.repeat(9)
    for (const text of [
      `${paragraph}\n\n`.repeat(150),
      `- ${'milk and honey '.repeat(8)}\n`.repeat(400),
      `\`\`\`\n${'2026-11-23T10:00:00Z an entry of a log\n'.repeat(2_000)}\`\`\`\n`,
      `| a | b |\n|---|---|\n${'| one | two |\n'.repeat(1_000)}`,
      `${'> '.repeat(5)}quoted`,
      `${'-'.repeat(80)}\n`,
    ]) {
      expect(isPlain(text)).toBe(false)
    }
  })
})
