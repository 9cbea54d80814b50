import { beforeAll, describe, expect, it } from 'vitest'
import { type Emoji, emojiNamed, findEmojis, loadEmojis } from './emojis'

const LANGUAGES = ['en', 'de', 'ar'] as const

const FOUND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { tada: '🎉', '+1': '👍', Thumbs: '👍', white_check_mark: '✅' },
  de: { tada: '🎉', Häkchen: '✔️', hakchen: '✔️', Rakete: '🚀' },
  ar: { tada: '🎉', صاروخ: '🚀' },
}

describe.each(LANGUAGES)('the emoji in %s', (language) => {
  let emojis: readonly Emoji[]
  beforeAll(async () => {
    emojis = await loadEmojis(language)
  })

  it('are those that can be a reaction, each with a name', () => {
    const recommended = /^\p{RGI_Emoji}$/v
    expect(emojis.length).toBeGreaterThan(1_800)
    expect(
      emojis.filter(({ emoji, name, names }) => !recommended.test(emoji) || name === '' || names.length === 0),
    ).toEqual([])
    expect(new Set(emojis.map(({ emoji }) => emoji)).size).toBe(emojis.length)
  })

  it.each(Object.entries(FOUND[language] ?? {}))('are found by %s', (typed, emoji) => {
    expect(findEmojis(emojis, typed, 8).map((one) => one.emoji)).toContain(emoji)
  })

  it('are named like on GitHub', () => {
    expect(emojiNamed(emojis, 'tada')?.emoji).toBe('🎉')
    expect(findEmojis(emojis, 'thumbs', 2).map(({ emoji }) => emoji)).toEqual(['👍', '👎'])
    expect(emojiNamed(emojis, 'ta')).toBeUndefined()
  })

  it('are limited to the requested number', () => {
    expect(findEmojis(emojis, 'a', 5)).toHaveLength(5)
    expect(findEmojis(emojis, 'zzzz', 5)).toEqual([])
  })
})
