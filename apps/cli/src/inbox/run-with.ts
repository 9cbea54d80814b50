import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
