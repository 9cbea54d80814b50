import { describe, expect, it } from 'vitest'
import { lookalikeForm, lookalikeForms } from './lookalike.js'

describe('names that look the same', () => {
  it.each([
    ['Conor Smith', 'Conor Srnith'],
    ['Conor Smith', 'conor\u2800smith'],
    ['Conor Smith', 'Ｃｏｎｏｒ\u3000Ｓｍｉｔｈ'],
    ['Ada', 'А\u200bdа'],
    ['Harry', 'Ηаrry'],
    ['Bill', 'B1l|'],
    ['José', 'Jose\u0301'],
    ['Kim', 'кim'],
    ['ロボ', '口ボ'],
  ])('%j and %j have one form', (name, like) => {
    expect(lookalikeForm(like)).toBe(lookalikeForm(name))
  })

  it.each([
    ['Conor', 'Connor'],
    ['राम', 'रमा'],
    ['李明', '李朋'],
    ['Grace', 'Gracе B'],
  ])('%j and %j have not', (name, other) => {
    expect(lookalikeForm(other)).not.toBe(lookalikeForm(name))
  })

  it('can be turned around', () => {
    const form = lookalikeForm('Conor Smith')
    for (const name of [
      '\u202ehtimS ronoC',
      'Co\u202eron\u202c Smith',
      '\u2067Smith\u200f Conor',
      '\u202ehtim\u202dS\u202c ronoC',
    ]) {
      expect(lookalikeForms(name)).toContain(form)
    }
    expect(lookalikeForms('Conor Smith')).toEqual([form])
    expect(lookalikeForms('\u202c\u2069Conor\u202e')).toEqual([lookalikeForm('Conor')])
  })
})
