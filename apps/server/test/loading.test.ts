import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** Returns the code of a built file and of its static imports. */
function loadedFrom(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return ''
  seen.add(file)
  const code = readFileSync(file, 'utf8')
  const imported = [...code.matchAll(/^(?:import|export) [^;]*?"(\.[^"]+)";$/gm)].map(([, name = '']) => name)
  return code + imported.map((name) => loadedFrom(join(dirname(file), name), seen)).join('')
}

/** Returns the paths of the modules in bundled code, each of which begins with its path. */
const modulesIn = (code: string) => [...code.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)].map(([, path]) => path as string)

/** Returns the file of a chunk that another file loads by `import()`. */
function chunk(name: string, file: string): string {
  const path = new RegExp(`import\\("(\\./${name}-[^"]+)"\\)`).exec(readFileSync(file, 'utf8'))?.[1]
  if (path === undefined) throw new Error(`${file} does not load ${name}`)
  return join(dirname(file), path)
}

const program = chunk('program', MAIN)

/** Returns those of the packages that are loaded with a chunk. */
function loadedWith(file: string, packages: readonly string[]): string[] {
  const modules = modulesIn(loadedFrom(file))
  return packages.filter((name) => modules.some((path) => path.includes(`/node_modules/${name}/`)))
}

it('the program starts without the modules of the web server', () => {
  expect(loadedWith(program, ['pino', 'zod', 'express', '@trpc/server'])).toEqual(['pino', 'zod'])
})

it('the server starts without the modules of optional features', () => {
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
