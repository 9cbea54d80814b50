import { describe, expect, it } from 'vitest'
import { partsOf } from './snippet'

describe('parts of a snippet', () => {
  it('tells what matched', () => {
    expect(partsOf('the «early» train')).toEqual([
      { text: 'the ', isMatch: false },
      { text: 'early', isMatch: true },
      { text: ' train', isMatch: false },
    ])
  })

  it('leaves out marks of Markdown', () => {
    expect(partsOf('the **«early»** `train`')).toEqual([
      { text: 'the ', isMatch: false },
      { text: 'early', isMatch: true },
      { text: ' train', isMatch: false },
    ])
  })

  it('leaves marks alone that enclose nothing', () => {
    expect(partsOf('a « b')).toEqual([{ text: 'a « b', isMatch: false }])
  })
})
