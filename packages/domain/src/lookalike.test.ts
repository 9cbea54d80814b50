import { describe, expect, it } from 'vitest'
import { lookalikeForm, lookalikeForms } from './lookalike.js'

describe('lookalike names', () => {
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
  ])('include %j and %j', (name, like) => {
    expect(lookalikeForm(like)).toBe(lookalikeForm(name))
  })

  it.each([
    ['Conor', 'Connor'],
    ['राम', 'रमा'],
    ['李明', '李朋'],
    ['Grace', 'Gracе B'],
  ])('do not include %j and %j', (name, other) => {
    expect(lookalikeForm(other)).not.toBe(lookalikeForm(name))
  })

  it('include names that are displayed right to left', () => {
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
