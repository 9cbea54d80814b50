import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completedOperator, datesNear, flagsFor, namesFor, openOperatorAt, suggestionsFor } from './operators'

describe('a typed operator', () => {
  it.each([
    ['from:', 'from', ''],
    ['plan from:ad', 'from', 'ad'],
    ['From:"Ada L', 'from', 'Ada L'],
    ['in:pl', 'in', 'pl'],
    ['before:2026', 'before', '2026'],
    ['fro', null, 'fro'],
    ['plan is', null, 'is'],
  ])('in %j is %s', (text, operator, typed) => {
    expect(openOperatorAt(text, text.length)).toMatchObject({ operator, typed })
  })

  it.each(['', 'plan ', 'from:ada ', 'from:"Ada L" ', 'xfrom:a', 'f', '"from:a b" '])('is none in %j', (text) => {
    expect(openOperatorAt(text, text.length)).toBeNull()
  })

  it("is completed in the server's syntax", () => {
    const completed = (text: string, value: string) => {
      const open = openOperatorAt(text, text.length)
      if (!open) return null
      const { from, to, insert } = completedOperator(open, value)
      return text.slice(0, from) + insert + text.slice(to)
    }
    expect(completed('a fr', 'from:')).toBe('a from:')
    expect(completed('has', 'has:file')).toBe('has:file ')
    expect(completed('a from:ad', 'Ada')).toBe('a from:Ada ')
    expect(completed('from:"ad', 'Ada "The" Lovelace')).toBe('from:"Ada The Lovelace" ')
  })

  it('ends at the caret, in any text', () => {
    const texts = fc.string({ unit: fc.constantFrom('from', ':', 'in', ' ', '"', 'a', 'é', '-') })
    fc.assert(
      fc.property(texts, fc.nat(), (text, at) => {
        const caret = at % (text.length + 1)
        const open = openOperatorAt(text, caret)
        if (!open) return
        expect(open.to).toBe(caret)
        expect(text.slice(open.from, caret)).toContain(open.typed)
        expect(open.from === 0 || /\s/.test(text.charAt(open.from - 1))).toBe(true)
      }),
    )
  })
})

describe('suggestions for an operator', () => {
  it('include operators and flags', () => {
    expect(namesFor('i')).toEqual(['in:', 'is:thread', 'is:decision'])
    expect(namesFor('HA')).toEqual(['has:file'])
    expect(flagsFor('is', 'd')).toEqual(['decision'])
  })

  it('begin with the typed text, or have a word that does', () => {
    const all = ['Old plans', 'Plans', 'Trips'].map((label) => ({
      value: label.toLowerCase().replace(' ', '-'),
      label,
    }))
    expect(suggestionsFor(all, 'pl', 8).map(({ label }) => label)).toEqual(['Plans', 'Old plans'])
    expect(suggestionsFor(all, '', 2)).toHaveLength(2)
  })

  it('include dates in UTC', () => {
    expect(datesNear(Date.parse('2026-01-01T00:30:00Z'))).toEqual({
      today: '2026-01-01',
      yesterday: '2025-12-31',
      month: '2026-01',
      lastMonth: '2025-12',
      year: '2026',
    })
  })
})
