import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Format, formatted, linked, type SelectedText } from './format'

/** Parses a text whose selection is between `‹` and `›`. */
function selectedIn(written: string): SelectedText {
  const start = written.indexOf('‹')
  return { text: written.replace(/[‹›]/g, ''), start, end: written.indexOf('›') - 1 }
}

/** Returns the changed text with its selection, written as above. */
function after({ text }: SelectedText, { from, to, insert, select }: ReturnType<typeof formatted>): string {
  const changed = text.slice(0, from) + insert + text.slice(to)
  const [start, end] = select ?? [from + insert.length, from + insert.length]
  return `${changed.slice(0, start)}‹${changed.slice(start, end)}›${changed.slice(end)}`
}

const format = (written: string, kind: Format) => {
  const selected = selectedIn(written)
  return after(selected, formatted(selected, kind))
}

describe('formatting', () => {
  it.each([
    ['bold', 'a ‹word› b', 'a **‹word›** b'],
    ['bold', 'a‹ word ›b', 'a **‹word›** b'],
    ['bold', '‹›', '**‹›**'],
    ['bold', '**‹›**', '‹›'],
    ['bold', '**word‹›**', '**word**‹›'],
    ['bold', 'a **‹word›** b', 'a ‹word› b'],
    ['bold', 'a ‹**word**› b', 'a ‹word› b'],
    ['bold', '*‹word›*', '***‹word›***'],
    ['bold', '- ‹one\n- two›', '- ‹**one**\n- **two**›'],
    ['bold', '‹- one\n\n- two›', '‹- **one**\n\n- **two**›'],
    ['bold', '‹- **one**\n- **two**›', '‹- one\n- two›'],
    ['italic', '**‹word›**', '***‹word›***'],
    ['italic', '***‹word›***', '**‹word›**'],
    ['italic', '*‹word›*', '‹word›'],
    ['strike', '‹word›', '~~‹word›~~'],
    ['code', '‹word›', '`‹word›`'],
    ['code', '`‹word›`', '‹word›'],
    ['code', '‹a `b` c›', '`` ‹a `b` c› ``'],
    ['code', 'a\n‹b\nc›\nd', 'a\n```\n‹b\nc›\n```\nd'],
    ['code', '‹b\n```\nc›', '````\n‹b\n```\nc›\n````'],
    ['link', '‹word›', '[word](‹›)'],
    ['link', '‹a]›', '[a\\]](‹›)'],
    ['link', '‹›', '[‹›]()'],
    ['link', '‹https://a.example/b_(c)›', '[‹›](https://a.example/b_%28c%29)'],
    ['list', 'one‹›', '- one‹›'],
    ['list', '- one‹›', 'one‹›'],
    ['list', 'a\n‹one\n\n  two›\nb', 'a\n‹- one\n\n  - two›\nb'],
    ['list', '‹1. one\n2. two›', '‹- one\n- two›'],
    ['numbers', '‹- one\n- two›', '‹1. one\n2. two›'],
    ['numbers', '‹1. one\n2. two›', '‹one\ntwo›'],
    ['quote', '‹one\n\n- two›', '‹> one\n> \n> - two›'],
    ['quote', '‹> one\n> \n> - two›', '‹one\n\n- two›'],
    ['quote', '‹›', '> ‹›'],
    ['quote', '\n‹›', '\n> ‹›'],
  ] as const)('formats as %s: %j becomes %j', (kind, written, expected) => {
    expect(format(written, kind)).toBe(expected)
  })

  it('is undone by formatting again', () => {
    const words = fc
      .string({ unit: fc.constantFrom('a', 'é', '中', ' ', '.', '😀') })
      .filter((one) => one.trim() !== '')
    const kinds = fc.constantFrom<Format>('bold', 'italic', 'strike', 'code', 'list', 'numbers', 'quote')
    fc.assert(
      fc.property(words, kinds, (text, kind) => {
        const first = formatted({ text, start: 0, end: text.length }, kind)
        const once = text.slice(0, first.from) + first.insert + text.slice(first.to)
        const [start, end] = first.select ?? [0, 0]
        const second = formatted({ text: once, start, end }, kind)
        expect(once.slice(0, second.from) + second.insert + once.slice(second.to)).toBe(text)
      }),
    )
  })

  it('stays within the bounds of any text', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '*', '`', '>', '-', ' ', '\n', '[', ']', '1.') })
    const kinds = fc.constantFrom<Format>('bold', 'italic', 'strike', 'code', 'link', 'list', 'numbers', 'quote')
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), kinds, (text, one, other, kind) => {
        const [start = 0, end = 0] = [one, other].map((at) => at % (text.length + 1)).toSorted((a, b) => a - b)
        const { from, to, insert, select = [0, 0] } = formatted({ text, start, end }, kind)
        const length = text.length - (to - from) + insert.length
        expect([0, from, to, text.length]).toEqual([0, from, to, text.length].toSorted((a, b) => a - b))
        expect([0, ...select, length]).toEqual([0, ...select, length].toSorted((a, b) => a - b))
      }),
    )
  })
})

describe('an address pasted over a selection', () => {
  it.each([
    ['see ‹the plan› now', 'https://a.example/plan', 'see [the plan](https://a.example/plan)‹› now'],
    ['‹ the plan ›', ' https://a.example/(1)\n', ' [the plan](https://a.example/%281%29)‹› '],
    ['‹Ada›', 'mailto:ada@a.example', '[Ada](mailto:ada@a.example)‹›'],
  ])('links %j', (written, address, expected) => {
    const selected = selectedIn(written)
    const change = linked(selected, address)
    expect(change && after(selected, change)).toBe(expected)
  })

  it.each([
    ['‹›', 'https://a.example'],
    ['‹https://b.example›', 'https://a.example'],
    ['‹two\nlines›', 'https://a.example'],
    ['‹word›', 'see https://a.example'],
    ['‹word›', 'javascript:alert(1)'],
  ])('replaces %j by %j', (written, pasted) => {
    expect(linked(selectedIn(written), pasted)).toBeNull()
  })
})
