import { describe, expect, it } from 'vitest'
import { LIMITS } from './limits.js'
import { emojiOf, requireCanReact } from './reaction.js'

const KISS = '👩🏻‍❤️‍💋‍👨🏿'

describe('a reaction', () => {
  it.each(['👍', '👍🏽', '❤️', '🇩🇪', '1️⃣', '©️', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👁️‍🗨️', '⛹🏻‍♀️', KISS])('may be %s', (emoji) => {
    expect(emojiOf(emoji)).toBe(emoji)
    expect(emojiOf(emoji.replaceAll('\u{fe0f}', ''))).toBe(emoji)
    expect(Buffer.byteLength(emoji)).toBeLessThanOrEqual(35)
  })

  it.each(['', 'a', '1', '+1', ':+1:', '👍👍', '👍 ', 'x👍', '🇩', '\u{fe0f}', '\u{200d}', '👍\u{200d}', '🏽🏽'])(
    'cannot be %j',
    (text) => {
      expect(() => emojiOf(text)).toThrow('emoji: must be a single emoji, such as 👍')
    },
  )

  it('is rejected beyond the limits of an event', () => {
    const most = { emojis: LIMITS.reactionEmojis, reactions: LIMITS.reactions - 1 }
    expect(() => requireCanReact({ ...most, hasEmoji: true })).not.toThrow()
    expect(() => requireCanReact({ ...most, hasEmoji: false })).toThrow('choose one of them')
    expect(() => requireCanReact({ hasEmoji: true, emojis: 1, reactions: LIMITS.reactions })).toThrow(
      'reactions already',
    )
  })
})
