import { resolve } from 'node:path'
import { make } from './make.js'

const USAGE = `Usage: npx -y pnpm@12 release [DIRECTORY]

Builds, and makes what is published of this commit in a new directory (default: artifacts): the tarball that runs
without a build, its bill of materials, the packages for npm, the source, what has changed, and their checksums.
The same commit makes the same bytes, with the same Node.
`

const words = process.argv.slice(2)
const [directory = 'artifacts'] = words
if (words.includes('--help')) process.stdout.write(USAGE)
else if (words.length > 1 || directory.startsWith('-')) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else {
  try {
    await make(resolve(directory), (line) => process.stdout.write(`${line}\n`))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
