import type { KeyboardEvent } from 'react'
import { expect, it } from 'vitest'
import { isComposing } from './composing'

it.each([
  ['a key alone', { isComposing: false, keyCode: 13 }, false],
  ['one within a composition', { isComposing: true, keyCode: 13 }, true],
  ['one that Safari reports after the composition has ended', { isComposing: false, keyCode: 229 }, true],
])('%s', (_, nativeEvent, expected) => {
  expect(isComposing({ nativeEvent: nativeEvent as KeyboardEvent['nativeEvent'] })).toBe(expected)
})
