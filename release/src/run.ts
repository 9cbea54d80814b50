import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { make } from './make.js'

const USAGE = `Usage: npx -y pnpm@12 release [DIRECTORY] [--image [--base IMAGE]]

Builds, and makes what is published of this commit in a new directory (default: artifacts): a tarball for each platform
that runs without a build, its bill of materials, the packages for npm, the source, what has changed, and their
checksums. The same commit makes the same bytes, with the same Node.

  --image       makes a container image for all platforms, too, with buildah and an emulator of the other platform
  --base IMAGE  on this image instead of Node's own: oci-archive:FILE, or whatever buildah can pull
`

/** Parses the options; undefined if they are invalid. */
function read() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        image: { type: 'boolean', default: false },
        base: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
      allowPositionals: true,
    })
    const [directory = 'artifacts', ...more] = positionals
    const makesSense = more.length === 0 && (values.base === undefined || values.image)
    return makesSense ? { ...values, directory } : undefined
  } catch {
    return undefined
  }
}

const asked = read()
if (asked === undefined) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else if (asked.help) process.stdout.write(USAGE)
else {
  try {
    await make(resolve(asked.directory), asked, (line) => process.stdout.write(`${line}\n`))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
