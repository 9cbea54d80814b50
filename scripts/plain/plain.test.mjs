import { describe, expect, it } from 'vitest'
import { longFunctions } from './functions.mjs'
import { folderEdges, importsOf, importsUp, knotsOf } from './imports.mjs'
import { IDENTIFIERS, PRONOUNS } from './words.mjs'

const files = (texts) => new Map(Object.entries(texts))

describe('imports', () => {
  it('exclude types', () => {
    const text = `import type { A } from './types.js'
import { type B, type C } from '../b.js'
import { type D, e } from './d.js'
import {
  f,
  type G,
} from '../other/f.js'
import './style.css'
import { z } from 'zod'
export { h } from './h.js'
export type { I } from './i.js'
`
    expect(importsOf('src/noun/a.ts', text)).toEqual(['src/noun/d', 'src/other/f', 'src/noun/style', 'src/noun/h'])
  })

  it('of folders in a cycle form a knot', () => {
    const edges = folderEdges(
      files({
        'p/src/index.ts': "import { a } from './a/a.js'\n",
        'p/src/a/a.ts': "import { b } from '../b/b.js'\n",
        'p/src/b/b.ts': "import { c } from '../c/c.js'\n",
        'p/src/c/c.ts': "import { a2 } from '../a/a2.js'\nimport type { X } from '../index.js'\n",
        'p/src/d/d.ts': "import { a } from '../a/a.js'\n",
      }),
      'p/src',
    )
    expect(knotsOf(edges)).toEqual([['a', 'b', 'c']])
  })

  it('of the page that point up are found', () => {
    const page = files({
      'w/src/app/shell.tsx': "import { inbox } from '../features/inbox/inbox'\n",
      'w/src/features/inbox/inbox.tsx':
        "import { shell } from '../../app/shell'\nimport { time } from '../../shared/time'\n",
      'w/src/shared/time.ts': "import { inbox } from '../features/inbox/inbox'\n",
    })
    expect(importsUp(page, 'w/src')).toEqual([
      'w/src/features/inbox/inbox.tsx -> w/src/app/shell',
      'w/src/shared/time.ts -> w/src/features/inbox/inbox',
    ])
  })
})

describe('functions', () => {
  const body = (indent) => `${indent}  one()\n`.repeat(5)

  it.each([
    ['a function', `export async function long(a: string): Promise<void> {\n${body('')}}\n`],
    ['an arrow function', `const long = (a: string) => {\n${body('')}}\n`],
    ['a function over several lines', `function long(\n  a: string,\n): void {\n${body('')}}\n`],
    ['a method', `class A {\n  long(a: string): void {\n${body('  ')}  }\n}\n`],
  ])('are measured: %s', (_, text) => {
    expect(longFunctions(text, 5)).toHaveLength(1)
    expect(longFunctions(text, 7)).toEqual([])
  })

  it('are no tables, classes or conditions', () => {
    const text = `const TABLE = {\n${body('')}}\nclass A {\n${body('')}}\nif (a) {\n${body('')}}\n`
    expect(longFunctions(text, 5)).toEqual([])
  })
})

describe('words', () => {
  it('are matched whole, in any case', () => {
    expect('Nobody knows whom'.match(PRONOUNS.pattern)).toEqual(['Nobody', 'whom'])
    expect('whomsoever'.match(PRONOUNS.pattern)).toBeNull()
  })

  it('have a replacement other than themselves', () => {
    for (const [word, instead] of IDENTIFIERS) expect(instead).not.toBe(word)
  })
})
