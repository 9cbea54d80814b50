import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Returns a path relative to the root of the checkout. */
export const inCheckout = (...path: readonly string[]): string => join(ROOT, ...path)

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly license?: string
  readonly repository?: object
  readonly bugs?: string
  readonly engines?: object
  readonly publishConfig?: object
  readonly packageManager?: string
  readonly optionalDependencies?: object
  readonly dependencies?: object
  readonly devDependencies?: object
  readonly scripts?: object
}

export const manifestOf = (directory: string): Manifest =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))

/** Returns the folder of a dependency of one of our packages. */
export function folderOf(name: string, of: string): string {
  return dirname(createRequire(inCheckout(of, 'package.json')).resolve(name))
}

/** Runs a program in the root of the checkout, and returns its output. */
export const run = (program: string, ...words: readonly string[]): string =>
  execFileSync(program, words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

/** The pnpm version that this version was tested with. */
export function pnpm(...words: readonly string[]): string {
  return run('npx', '-y', manifestOf(ROOT).packageManager as string, ...words)
}

/** Returns the time of the released commit in seconds, so that all builds date their files alike. */
export const commitTime = (): number => Number(run('git', 'log', '-1', '--format=%ct').trim())
