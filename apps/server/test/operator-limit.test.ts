import { expect, it } from 'vitest'
import { parseLimit } from '../src/operator/arguments.js'

it('lists of operators have up to 10,000 lines', () => {
  expect(['1', '50', '10000'].map(parseLimit)).toEqual([1, 50, 10_000])
  for (const given of ['0', '-1', '10001', '999999', '1e3', '1.5', 'x', '']) {
    expect(() => parseLimit(given)).toThrow('It must be a whole number from 1 to 10000.')
  }
})
