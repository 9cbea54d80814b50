import { describe, expect, it } from 'vitest'
import { parsed } from './tokens'

const isPlain = (text: string) => 'plain' in parsed(text)

function read(text: string) {
  const markdown = parsed(text)
  if ('plain' in markdown) throw new Error('Not read as Markdown')
  return markdown
}

describe('text that is expensive to parse', () => {
  it.each([
    ['nested quotes', '>'.repeat(4_000)],
    ['nested quotes, set apart', '> '.repeat(12_000)],
    ['nested lists', '1. '.repeat(12_000)],
    ['a long gap', `a${' '.repeat(30_000)}b`],
    ['what may be emphasis', '_a'.repeat(20_000)],
    ['what may be an address', `${'-'.repeat(12_000)}@`],
  ])('stays as it is: %s', (_title, text) => {
    expect(parsed(text)).toEqual({ plain: text })
  })

  it('stays plain after the cheap paragraphs', () => {
    const paragraph = '***a** '.repeat(500)
    const { tokens } = read(Array(25).fill(paragraph).join('\n\n'))
    const rest = Array(22).fill(paragraph).join('\n\n')
    expect(tokens.map(({ type }) => type)).toEqual(['paragraph', 'space', 'paragraph', 'space', 'paragraph', 'text'])
    expect(tokens.at(-1)?.raw).toBe(`\n\n${rest}`)
  })

  it('excludes ordinary texts', () => {
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

describe('a tag', () => {
  it('is text, with Markdown next to and below it', () => {
    const { tokens } = read('<details> of **this**\n- one\n- two\n\n<b>not bold</b>')
    expect(tokens.map(({ type }) => type)).toEqual(['paragraph', 'list', 'space', 'paragraph'])
    expect(JSON.stringify(tokens)).toContain('"strong"')
    expect(JSON.stringify(tokens)).not.toContain('"html"')
  })
})
