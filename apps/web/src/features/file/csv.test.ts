import { describe, expect, it } from 'vitest'
import { parseCsv } from './csv'

describe('delimited text', () => {
  it.each([
    ['', []],
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,\r\n',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['a,b,', [['a', 'b', '']]],
    [
      'a;b\n"x;y";"say ""no"""',
      [
        ['a', 'b'],
        ['x;y', 'say "no"'],
      ],
    ],
    [
      'a\tb\n"two\nlines"\t3',
      [
        ['a', 'b'],
        ['two\nlines', '3'],
      ],
    ],
    ['a\n\nb', [['a'], [''], ['b']]],
    ['"never closed,\n1', [['never closed,\n1']]],
    [
      ',\n,',
      [
        ['', ''],
        ['', ''],
      ],
    ],
  ])('is parsed from %j', (text, rows) => {
    expect(parseCsv(text)).toEqual(rows)
  })
})
