import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** The code of a built file, and of all that it imports: not of what `import()` names, which is loaded when it is called. */
function loadedFrom(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return ''
  seen.add(file)
  const code = readFileSync(file, 'utf8')
  const imported = [...code.matchAll(/^(?:import|export) [^;]*?"(\.[^"]+)";$/gm)].map(([, name = '']) => name)
  return code + imported.map((name) => loadedFrom(join(dirname(file), name), seen)).join('')
}

/** The modules in bundled code, each of which begins with its path. */
const modulesIn = (code: string) => [...code.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)].map(([, path]) => path as string)

it('costs a server nothing until somebody uses it', () => {
  const program = /import\("(\.\/program-[^"]+)"\)/.exec(readFileSync(MAIN, 'utf8'))?.[1] ?? ''
  const modules = modulesIn(loadedFrom(join(dirname(MAIN), program)))
  const has = (name: string) => modules.some((path) => path.includes(`/node_modules/${name}/`))
  expect(has('express')).toBe(true)
  expect(['@modelcontextprotocol/server', 'ai', 'prom-client', 'commander', 'trpc-to-openapi'].filter(has)).toEqual([])
})
