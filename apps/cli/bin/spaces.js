#!/usr/bin/env node
import module from 'node:module'

// From Node 22 on, what was compiled once is kept for the next start.
module.enableCompileCache?.()

try {
  await import('../dist/main.js')
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write('spaces: The command has not been built in this checkout. Build it with: npx -y pnpm@12 build\n')
  process.exit(1)
}
