import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { environment } from '../support/machine.js'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** Runs one step after another in the same shell, and ends the output of each with a NUL. */
const LOOP = `
exec 2>&1
code=0
while IFS= read -r -d '' step <&3; do
  (exit "$code"); eval "$step" 3<&-; code=$?
  printf '\\0'
done`

/** A line that hangs fails by name, before the timeout of its test. */
const LONGEST_MS = 60_000

/** Collects failures of lines that must succeed, also of those that hide them, such as pipes. */
const FAILURES = '.failures'

/** A curl that records refused calls. A later line ends one that watches. */
const CURL = `#!/usr/bin/env bash
PATH=\${PATH#*:}
[[ $* != *sSN* ]] || exec curl "$@"
curl --fail-with-body "$@"
code=$?
[ "$code" -eq 0 ] || echo "curl $*: exit code $code" >> "$HOME/${FAILURES}"
exit "$code"
`

/** A bash that runs lines one by one, in a directory that looks like the root of a built clone. */
export class Shell {
  readonly #process: ChildProcessByStdio<null, Readable, null>
  readonly #outputs: AsyncIterator<string>

  private constructor(private readonly home: string) {
    const { PATH, ...env } = environment({ home })
    this.#process = spawn('bash', ['-c', LOOP], {
      cwd: home,
      env: { ...env, PATH: join(home, '.bin') + delimiter + PATH },
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
      detached: true,
    }) as ChildProcessByStdio<null, Readable, null>
    this.#outputs = untilNul(this.#process.stdout)
  }

  /** Starts a shell in a home directory with the applications, and the packages that a reader's programs import. */
  static async in(home: string): Promise<Shell> {
    await mkdir(join(home, '.bin'))
    await symlink(process.execPath, join(home, '.bin', 'node'))
    await writeFile(join(home, '.bin', 'curl'), CURL, { mode: 0o755 })
    await symlink(join(ROOT, 'apps'), join(home, 'apps'))
    await symlink(join(ROOT, 'clients'), join(home, 'clients'))
    await mkdir(join(home, 'node_modules', '@collab-spaces'), { recursive: true })
    await symlink(join(ROOT, 'node_modules/@collab-spaces/client'), join(home, 'node_modules/@collab-spaces/client'))
    await symlink(join(ROOT, 'apps/server/node_modules/standardwebhooks'), join(home, 'node_modules/standardwebhooks'))
    return new Shell(home)
  }

  /** Runs lines. Returns their output on both streams. */
  async run(lines: string): Promise<string> {
    const steps = this.#process.stdio[3] as Writable
    steps.write(`${lines}\0`)
    const patience = setTimeout(() => this.close(), LONGEST_MS)
    const { value, done } = await this.#outputs.next()
    clearTimeout(patience)
    if (done) throw new Error(`The shell has ended, or is at it for too long: ${lines}`)
    return value
  }

  /** Runs lines, and throws if one fails. */
  async mustRun(lines: string): Promise<string> {
    const output = await this.run(`trap 'echo "$BASH_COMMAND" >> ~/${FAILURES}' ERR\n${lines}\ntrap - ERR`)
    const failures = await readFile(join(this.home, FAILURES), 'utf8').catch(() => '')
    if (failures !== '') throw new Error(`This failed:\n${failures}\nin\n${lines}\nwhich printed\n${output}`)
    return output
  }

  /** Kills the shell with all its processes. */
  close(): void {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      process.kill(-(this.#process.pid as number), 'SIGKILL')
    }
  }
}

async function* untilNul(stream: Readable): AsyncGenerator<string, undefined> {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    const [first, ...rest] = (text + chunk).split('\0')
    const last = rest.pop()
    if (last === undefined) {
      text = first as string
      continue
    }
    yield first as string
    yield* rest
    text = last
  }
  return undefined
}
