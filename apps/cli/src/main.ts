import { CommanderError } from '@commander-js/extra-typings'
import { EXIT, type ExitCode, failed } from './failure.js'
import { createProgram } from './program.js'
import { clean } from './terminal/clean.js'

/** `spaces` alone and `spaces help space` are ways of asking for help. */
function asked(args: readonly string[]): readonly string[] {
  if (args.length === 0) return ['--help']
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args
}

async function main(args: readonly string[]): Promise<ExitCode> {
  try {
    if (args[0] === '__complete') return await offer(args.slice(1))
    await createProgram().parseAsync(args, { from: 'user' })
    return EXIT.ok
  } catch (error) {
    // Help and the version end this way too.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok
    return tell(error, args)
  }
}

/** What the script of a shell asks for. The words are not parsed as ours: they are half typed. */
async function offer(words: readonly string[]): Promise<ExitCode> {
  const [{ cliWith }, { complete }] = await Promise.all([
    import('./start.js'),
    import('./commands/completion/complete.js'),
  ])
  process.stdout.write(await complete(cliWith({ json: true }), words))
  return EXIT.ok
}

async function tell(error: unknown, args: readonly string[]): Promise<ExitCode> {
  const { asJson, explain } = await import('./explain.js')
  const explanation = explain(error)
  const { exitCode, detail, hint } = explanation
  // Also before the flags are understood: a script that misspells one still reads JSON.
  if (args.includes('--json')) process.stderr.write(`${asJson(explanation)}\n`)
  else process.stderr.write(clean(`spaces: ${detail}\n${hint ? `${hint}\n` : ''}`))
  return exitCode
}

const args = asked(process.argv.slice(2))

process.stdout.on('error', async ({ code, message }: NodeJS.ErrnoException) => {
  // Whoever reads us has seen enough: `spaces read plans | head` is no failure. A disk that is full is one.
  process.exit(code === 'EPIPE' ? EXIT.ok : await tell(failed(`Standard output cannot be written: ${message}`), args))
})
// That nobody listens to remarks and errors does not change what the command does.
process.stderr.on('error', () => {})

const exitCode = await main(args)
// What still waits for the network or for a key to be pressed must not keep a command that is done.
process.stdout.write('', (error) => {
  if (!error) process.exit(exitCode)
})
