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

/** The file of a chunk that another one loads by `import()`. */
function chunk(name: string, file: string): string {
  const path = new RegExp(`import\\("(\\./${name}-[^"]+)"\\)`).exec(readFileSync(file, 'utf8'))?.[1]
  if (path === undefined) throw new Error(`${file} does not load ${name}`)
  return join(dirname(file), path)
}

const program = chunk('program', MAIN)

/** Those of some packages that are loaded with a chunk. */
function loadedWith(file: string, packages: readonly string[]): string[] {
  const modules = modulesIn(loadedFrom(file))
  return packages.filter((name) => modules.some((path) => path.includes(`/node_modules/${name}/`)))
}

it('leaves what serves until PostgreSQL starts', () => {
  expect(loadedWith(program, ['pino', 'zod', 'express', '@trpc/server'])).toEqual(['pino', 'zod'])
})

it('costs a server nothing until an actor uses it', () => {
  const few = [
    '@modelcontextprotocol/server',
    'ai',
    'prom-client',
    'commander',
    'trpc-to-openapi',
    'nodemailer',
    'web-push',
  ]
  expect(loadedWith(chunk('serve', program), ['express', ...few])).toEqual(['express'])
})
