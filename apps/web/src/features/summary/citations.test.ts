import { describe, expect, it } from 'vitest'
import { numbersOf } from './citations'

const ONE = '019324b2-5d0e-7c3a-8a53-3f1f4d2f9a01'
const OTHER = '019324b2-5d0e-7c3a-8a53-3f1f4d2f9a02'

describe('citations of a summary', () => {
  it('are numbered in order of appearance, each once', () => {
    expect([...numbersOf(`First [${OTHER}], then [${ONE}][${OTHER}], and [x].`)]).toEqual([
      [OTHER, 1],
      [ONE, 2],
    ])
  })
})
