import { describe, expect, it } from 'vitest'
import { partsOf } from './MatchText'

describe('parts of a snippet', () => {
  it('mark matches', () => {
    expect(partsOf('the «early» train')).toEqual([
      { text: 'the ', isMatch: false },
      { text: 'early', isMatch: true },
      { text: ' train', isMatch: false },
    ])
  })

  it('omit Markdown marks', () => {
    expect(partsOf('the **«early»** `train`')).toEqual([
      { text: 'the ', isMatch: false },
      { text: 'early', isMatch: true },
      { text: ' train', isMatch: false },
    ])
  })

  it.each([
    ['# Plan\n\n- the [«early»](https://example.org/train) train', 'Plan the early train'],
    ['~~no~~ _the_ **«early»', 'no the early'],
    ['the «early» [timetable](https://example.org/ti', 'the early timetable'],
    ['table](https://example.org/x) «early»', 'table early'],
    ['```ts\nconst «early» = 1', 'const early = 1'],
  ])('omit other Markdown in %j', (snippet, expected) => {
    const parts = partsOf(snippet)
    expect(parts.map(({ text }) => text).join('')).toBe(expected)
    expect(parts.find(({ isMatch }) => isMatch)?.text).toBe('early')
  })

  it('keep unpaired marks', () => {
    expect(partsOf('a « b')).toEqual([{ text: 'a « b', isMatch: false }])
  })
})
