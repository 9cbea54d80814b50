import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSearch } from './search.js'
import { parseOperators } from './search-operator.js'

const at = (time: string) => new Date(`${time}Z`)

describe('parseOperators', () => {
  it.each([
    ['from:ada', { from: ['ada'] }],
    ['FROM:"Ada Lovelace" from:agt_1', { from: ['Ada Lovelace', 'agt_1'] }],
    ['in:plans in:old', { in: ['plans', 'old'] }],
    ['before:2026-11-28', { before: at('2026-11-28T00:00:00') }],
    ['before:2026', { before: at('2026-01-01T00:00:00') }],
    ['before:2026-11-28T12:00:00+01:00', { before: at('2026-11-28T11:00:00') }],
    ['before:2027 before:2026', { before: at('2026-01-01T00:00:00') }],
    ['after:2026-11-28', { since: at('2026-11-29T00:00:00') }],
    ['after:2026-12', { since: at('2027-01-01T00:00:00') }],
    ['after:2026', { since: at('2027-01-01T00:00:00') }],
    ['after:2026-11-28T12:00:00Z', { since: at('2026-11-28T12:00:00.001') }],
    ['has:file has:files', { hasFile: true }],
    ['is:thread is:Decision', { isInThread: true, isDecision: true }],
  ])('%s', (text, filter) => {
    expect(parseOperators(text)).toEqual({ query: [], filter: expect.objectContaining(filter) })
  })

  it('returns the remaining words as a query', () => {
    const { query, filter } = parseOperators('mountains from:ada -snow "to the sea" or fly')
    expect(query).toEqual(parseSearch('mountains -snow "to the sea" or fly'))
    expect(filter?.from).toEqual(['ada'])
    const [[excluded] = []] = parseOperators('from:ada -snow').query
    expect(excluded).toMatchObject({ words: 'snow', negated: true })
  })

  it.each([
    '"from:ada"',
    '“in:plans”',
    'is:strange',
    'has:wings',
    'from:',
    'from: ada',
    'from:""',
    'x-from:ada',
    '-from:ada',
    'to:ada',
  ])('treats %s as words', (text) => {
    expect(parseOperators(text)).toEqual({ query: parseSearch(text), filter: null })
  })

  it.each(['before:lunch', 'after:2026-13', 'before:2026-02-30', 'after:1969', 'before:"next week"'])(
    'rejects the date of %s',
    (text) => {
      expect(() => parseOperators(text)).toThrow(/^q: (?:before|after): needs a date, such as 2026-11-28/)
    },
  )

  it('parses any text without operators as a search', () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .filter((text) => !/(from|in|before|after|has|is):/i.test(text))
    fc.assert(
      fc.property(text, (text) => {
        expect(parseOperators(text).filter).toBe(null)
        expect(parseOperators(text).query).toEqual(parseSearch(text))
      }),
    )
  })
})
