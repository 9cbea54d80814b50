import { describe, expect, it } from 'vitest'
import { byteRangeOf, digestIn, dispositionOf, fileNameProblem, isMediaType, namesTag, textPartOf } from './file.js'

describe('byteRangeOf', () => {
  it.each([
    ['bytes=0-', { from: 0, to: 10 }],
    ['bytes=2-4', { from: 2, to: 5 }],
    ['Bytes=9-9', { from: 9, to: 10 }],
    ['bytes=4-99', { from: 4, to: 10 }],
    ['bytes=-3', { from: 7, to: 10 }],
    ['bytes=-99', { from: 0, to: 10 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=4-2', null],
    ['bytes=0-1,4-5', null],
    ['lines=0-1', null],
    ['bytes=', null],
    ['bytes=-', null],
    [undefined, null],
  ] as const)('parses %s', (header, range) => {
    expect(byteRangeOf(header, 10)).toEqual(range)
  })

  it('is unsatisfiable for an empty file', () => {
    expect(byteRangeOf('bytes=0-', 0)).toBe('unsatisfiable')
    expect(byteRangeOf('bytes=-1', 0)).toBe('unsatisfiable')
  })
})

describe('textPartOf', () => {
  const WHOLE = { isFirst: true, isLast: true }

  it('returns UTF-8, with its byte order mark', () => {
    const bytes = new TextEncoder().encode('\ufeffGrüße 😀')
    expect(textPartOf(bytes, WHOLE)).toEqual({ text: '\ufeffGrüße 😀', from: 0, to: bytes.length })
  })

  it.each([[[0x41, 0]], [[0xff]], [[0xc3]], [[0x80]], [[0xed, 0xa0, 0x80]]])('returns null for %j', (bytes) => {
    expect(textPartOf(Uint8Array.from(bytes), WHOLE)).toBeNull()
  })

  it('splits a text at any byte, without losing or repeating a character', () => {
    const bytes = new TextEncoder().encode('aß…😀b')
    for (let cut = 4; cut < bytes.length - 4; cut++) {
      const first = textPartOf(bytes.subarray(0, cut), { isFirst: true, isLast: false })
      const rest = textPartOf(bytes.subarray(first?.to), { isFirst: false, isLast: true })
      expect(`${first?.text}${rest?.text}`).toBe('aß…😀b')
    }
    expect(textPartOf(bytes.subarray(2), { isFirst: false, isLast: true })).toMatchObject({ text: '…😀b', from: 1 })
  })
})

describe('namesTag', () => {
  it.each([['"a"'], ['W/"a"'], ['"b", "a"'], ['*']])('returns true for %s', (header) => {
    expect(namesTag(header, '"a"')).toBe(true)
  })

  it.each([['"b"'], ['a'], [''], [undefined]])('returns false for %s', (header) => {
    expect(namesTag(header, '"a"')).toBe(false)
  })
})

describe('digestIn', () => {
  const digest = 'uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek='

  it.each([[`sha-256=:${digest}:`], [`SHA-256=${digest}`], [`md5=:1B2M2Y8AsgTpgAmY7PhCfg==:, sha-256=:${digest}:`]])(
    'returns the SHA-256 in %s',
    (header) => {
      expect(digestIn('Content-Digest', header)).toBe(digest)
    },
  )

  it('ignores other algorithms', () => {
    expect(digestIn('Content-Digest', 'sha-512=:YWJj:')).toBeNull()
    expect(digestIn('Content-Digest', 'xsha-256=:YWJj:')).toBeNull()
  })

  it('rejects a SHA-256 of another length', () => {
    expect(() => digestIn('Repr-Digest', 'sha-256=:YWJj:')).toThrow('Repr-Digest: must have a SHA-256 in base64')
  })
})

describe('the name of a file', () => {
  it.each(['../etc/passwd', 'a/b', 'a\\b', '.', '..'])('is rejected: %s', (name) => {
    expect(fileNameProblem(name)).not.toBeNull()
  })

  it.each(['plan.md', '.env', '…', 'Übersicht (1).csv'])('is accepted: %s', (name) => {
    expect(fileNameProblem(name)).toBeNull()
  })

  it('is sent in ASCII and in UTF-8', () => {
    expect(dispositionOf('attachment', 'Plän "1"\u202e.pdf')).toBe(
      `attachment; filename="Pl_n _1__.pdf"; filename*=UTF-8''Pl%C3%A4n%20%221%22%E2%80%AE.pdf`,
    )
    expect(dispositionOf('inline', "it's*.png")).toBe(`inline; filename="it's*.png"; filename*=UTF-8''it%27s%2A.png`)
  })
})

describe('isMediaType', () => {
  it.each(['text/plain', 'text/plain; charset=utf-8', 'application/vnd.api+json;a="b c"'])('accepts %s', (type) => {
    expect(isMediaType(type)).toBe(true)
  })

  it.each(['', 'text', 'text/', 'text/plain;', 'text/plain\r\nX: y', 'text/html; a="\n"'])('rejects %j', (type) => {
    expect(isMediaType(type)).toBe(false)
  })
})
