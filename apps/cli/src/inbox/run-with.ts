import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { failed } from '../failure.js'

interface RunOptions {
  readonly env: NodeJS.ProcessEnv
  /** Ends the command, too. */
  readonly signal: AbortSignal
  /** The file descriptor that its output goes to. */
  readonly output: number
}

/** How long a command that is to end may take for it. */
const END_MS = 10_000

/** Runs a command with a value as JSON on its standard input. Its exit code, or the signal that ended it. */
export async function runWith(
  [program = '', ...args]: readonly string[],
  value: unknown,
  { env, signal, output }: RunOptions,
): Promise<number | string> {
  signal.throwIfAborted()
  const child = spawn(program, args, { env, stdio: ['pipe', output, 'inherit'] })
  const end = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), END_MS).unref()
  }
  signal.addEventListener('abort', end)
  // One that does not read what it is given has its reasons.
  child.stdin?.on('error', () => {})
  child.stdin?.end(`${JSON.stringify(value)}\n`)
  try {
    const [code, killedBy] = await once(child, 'close')
    return code ?? killedBy
  } catch (error) {
    throw failed(`Cannot run ${program}: ${(error as Error).message}`)
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** Fails if there is no such program: a mistyped one would be noticed only when something comes into the inbox. */
export async function requireProgram([program = '']: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  // Windows adds endings to the names of programs.
  if (process.platform === 'win32') return
  const directories = (env.PATH ?? '').split(delimiter)
  const paths = program.includes('/') ? [program] : directories.map((directory) => join(directory, program))
  const found = await Promise.any(paths.map(requireExecutable)).then(
    () => true,
    () => false,
  )
  if (!found) throw failed(`Cannot run ${program}: there is no such program`, 'Check its name, and PATH')
}

async function requireExecutable(path: string): Promise<void> {
  const file = await stat(path)
  if (!file.isFile() || (file.mode & 0o111) === 0) throw failed(`${path} is not a program`)
}
