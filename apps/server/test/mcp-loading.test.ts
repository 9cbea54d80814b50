import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** What is run, and what that loads to serve. */
const PROGRAMS = ['main.js', 'start.js'].map((name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url)))

/** Every module that the built server loads at its start: those that are imported, not those that `import()` names. */
function loadedFrom(file: string, files = new Set<string>(), packages = new Set<string>()): Set<string> {
  if (files.has(file)) return packages
  files.add(file)
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^;]*?from '([^']+)'/gm)) {
    if (name.startsWith('.')) loadedFrom(join(dirname(file), name), files, packages)
    else packages.add(name)
  }
  return packages
}

it('costs a server nothing until somebody uses it', () => {
  const files = new Set<string>()
  const packages = new Set(PROGRAMS.flatMap((program) => [...loadedFrom(program, files)]))
  expect([...packages]).toContain('express')
  expect([...packages].filter((name) => name.includes('modelcontextprotocol'))).toEqual([])
})
