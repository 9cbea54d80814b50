import { describe, expect, it, vi } from 'vitest'
import { keysInWords, shortcutKeyOf } from './shortcut'

describe('the key of a shortcut', () => {
  it.each([
    ['k', 'KeyK', 'k'],
    ['л', 'KeyK', 'k'],
    ['Л', 'KeyK', 'k'],
    ['κ', 'KeyK', 'k'],
    ['ن', 'KeyK', 'k'],
    ['ל', 'KeyK', 'k'],
    ['ㅏ', 'KeyK', 'k'],
    ['่', 'KeyJ', 'j'],
    ['Process', 'KeyK', 'k'],
    // Latin layouts may place letters on other keys.
    ['k', 'KeyV', 'k'],
    ['ı', 'KeyI', 'ı'],
    ['é', 'Digit2', 'é'],
    ['End', 'End', 'End'],
    ['Escape', 'Escape', 'Escape'],
    ['ж', 'Semicolon', 'ж'],
  ])('%s at %s is %s', (key, code, shortcut) => {
    expect(shortcutKeyOf({ key, code, shiftKey: false })).toBe(shortcut)
  })

  it('is a question mark in scripts with another one', () => {
    expect(shortcutKeyOf({ key: '؟', code: 'Slash', shiftKey: true })).toBe('?')
    expect(shortcutKeyOf({ key: '?', code: 'Digit7', shiftKey: true })).toBe('?')
    expect(shortcutKeyOf({ key: 'Ю', code: 'Slash', shiftKey: false })).toBe('Ю')
  })
})

it.each([
  ['MacIntel', 'Ctrl K', '⌘K'],
  ['MacIntel', 'Strg Umschalt 7, 8, 9', '⌘⇧7, 8, 9'],
  ['MacIntel', 'Esc', 'Esc'],
  ['Linux x86_64', 'Ctrl K', 'Ctrl K'],
])('on %s, the keys %s are shown as %s', (platform, keys, shown) => {
  vi.stubGlobal('navigator', { platform })
  expect(keysInWords(keys)).toBe(shown)
  vi.unstubAllGlobals()
})
