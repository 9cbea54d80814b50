import { describe, expect, it } from 'vitest'
import { closedEmojiAt, openEmojiAt } from './emoji-code'

describe('the name of an emoji', () => {
  it.each([
    [':ta', 'ta', 0],
    ['Yes :thumbs_u', 'thumbs_u', 4],
    ['(:+1', '+1', 1],
    ['好：笑', undefined, 0],
    ['请 ：笑脸', '笑脸', 2],
    ['ok\n:صار', 'صار', 3],
    [':t', undefined, 0],
    ['10:30', undefined, 0],
    ['https://a', undefined, 0],
    ['a::b', undefined, 0],
    [': ta', undefined, 0],
    ['`:ta', undefined, 0],
    ['`a` :ta', 'ta', 4],
    ['```\n:ta', undefined, 0],
  ])('in %j is %s', (text, typed, from) => {
    expect(openEmojiAt(text, text.length)).toEqual(typed === undefined ? null : { from, typed })
  })

  it('ends at a colon', () => {
    expect(closedEmojiAt('so :tada:', 9)).toEqual({ from: 3, typed: 'tada' })
    expect(closedEmojiAt('10:30:', 6)).toBeNull()
    expect(closedEmojiAt('so :tada', 8)).toBeNull()
  })
})
