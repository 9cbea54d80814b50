import { expect, it } from 'vitest'
import { parseLimit } from '../src/operator/arguments.js'

it('--limit of the operator is a whole number from 1 to 10,000', () => {
  expect(['1', '50', '10000'].map(parseLimit)).toEqual([1, 50, 10_000])
  for (const text of ['0', '-1', '10001', '999999', '1e3', '1.5', 'x', '']) {
    expect(() => parseLimit(text)).toThrow('It must be a whole number from 1 to 10000.')
  }
})
