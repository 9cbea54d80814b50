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

  it('keep unpaired marks', () => {
    expect(partsOf('a « b')).toEqual([{ text: 'a « b', isMatch: false }])
  })
})
