#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`spaces: Needs Node 20.19 or later, not ${process.versions.node}\n`)
  process.exit(1)
}

// Node 22 and later keep the compiled code for the next start: in a home directory, as other accounts could leave code of their
// own in the directory for temporary files, where Node would keep it.
// biome-ignore lint/style/noProcessEnv: what is needed before the settings are loaded
const { XDG_CACHE_HOME = '' } = process.env
const [home, ...cache] = isAbsolute(XDG_CACHE_HOME) ? [XDG_CACHE_HOME] : [homedir(), '.cache']
if (existsSync(home)) module.enableCompileCache?.(join(home, ...cache, 'spaces'))

try {
  await import('../dist/main.js')
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write('spaces: The command is not built yet. Build it: npx -y pnpm@12 build\n')
  process.exit(1)
}
