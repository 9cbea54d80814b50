import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCES = join(import.meta.dirname, '../src')

// The tests of accessibility check everything in light, and in dark only the rules about colors.
it('lets the color scheme change colors only', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(css|tsx?)$/.test(name))
  const others = files.filter((name) => readFileSync(join(SOURCES, name), 'utf8').includes('prefers-color-scheme'))
  expect(files.length).toBeGreaterThan(100)
  expect(others).toEqual([])
})
