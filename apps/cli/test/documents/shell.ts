import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { environment, MAIN } from '../support/machine.js'

/** Takes a step at a time, each in the state that the one before it has left, and ends what it prints with a NUL. */
const LOOP = `
exec 2>&1
code=0
while IFS= read -r -d '' step <&3; do
  (exit "$code"); eval "$step" 3<&-; code=$?
  printf '\\0'
done`

/** No line takes this long: one that hangs is named, instead of the test that it is in. */
const LONGEST_MS = 60_000

/** A bash that is typed into line by line, in which the built command is called `spaces`. */
export class Shell {
  readonly #process: ChildProcessByStdio<null, Readable, null>
  readonly #outputs: AsyncIterator<string>

  private constructor(home: string) {
    const { PATH, ...env } = environment({ home })
    this.#process = spawn('bash', ['-c', LOOP], {
      cwd: home,
      env: { ...env, PATH: join(home, 'bin') + delimiter + PATH },
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
      detached: true,
    }) as ChildProcessByStdio<null, Readable, null>
    this.#outputs = untilNul(this.#process.stdout)
  }

  static async in(home: string): Promise<Shell> {
    const command = join(home, 'bin', 'spaces')
    await mkdir(join(home, 'bin'))
    await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
    await chmod(command, 0o755)
    return new Shell(home)
  }

  /** What the lines print, on both streams. */
  async run(lines: string): Promise<string> {
    const steps = this.#process.stdio[3] as Writable
    steps.write(`${lines}\0`)
    const patience = setTimeout(() => this.close(), LONGEST_MS)
    const { value, done } = await this.#outputs.next()
    clearTimeout(patience)
    if (done) throw new Error(`The shell has ended, or is at it for too long: ${lines}`)
    return value
  }

  /** With all that it has started and that still runs. */
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
