import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCES = join(import.meta.dirname, '../src')

// The accessibility tests check all rules in light mode, and only those about colors in dark mode.
it('a color scheme changes colors only', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(css|tsx?)$/.test(name))
  const others = files.filter((name) => readFileSync(join(SOURCES, name), 'utf8').includes('prefers-color-scheme'))
  expect(files.length).toBeGreaterThan(100)
  expect(others).toEqual([])
})
