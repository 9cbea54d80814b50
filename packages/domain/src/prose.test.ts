import { describe, expect, it } from 'vitest'
import { isInFence, proseOf } from './prose.js'

describe('a text that is being typed', () => {
  it.each([
    '```',
    '```ts\nconst a',
    '~~~\na\n',
    '````\n```\n',
    '- a\n  ```\n  b',
    'a\n\n```\nb\n\nc',
    '```\na\n```\n```',
  ])('is in a code block: %j', (text) => {
    expect(isInFence(text)).toBe(true)
  })

  it.each(['', 'a', '```\na\n```', '`a', 'a ```', '    ```', '```a```', '- ```\n  a\nb', '> ```'])(
    'is outside of a code block: %j',
    (text) => {
      expect(isInFence(text)).toBe(false)
    },
  )
})

it.each([
  ['a `b` @c', 'a     @c'],
  ['[a](b) @c', ' a     @c'],
  ['_@a_', ' @a '],
  ['> @a\nb @c', '    \nb @c'],
  ['- @a\n\n      @b', '- @a\n\n        '],
  ['---\n    @a', '   \n      '],
  ['-\n\n    @a', ' \n\n      '],
  ['a\n2. > @b', 'a\n2. > @b'],
])('the prose of %j has no code, links and quotes', (text, prose) => {
  expect(proseOf(text)).toBe(prose)
})
