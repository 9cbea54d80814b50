import type { KeyboardEvent } from 'react'
import { expect, it } from 'vitest'
import { isComposing } from './composing'

it.each([
  ['a key outside of a composition is handled', { isComposing: false, keyCode: 13 }, false],
  ['a key within a composition is ignored', { isComposing: true, keyCode: 13 }, true],
  ['a key that Safari reports after the end of a composition is ignored', { isComposing: false, keyCode: 229 }, true],
])('%s', (_, nativeEvent, expected) => {
  expect(isComposing({ nativeEvent: nativeEvent as KeyboardEvent['nativeEvent'] })).toBe(expected)
})
