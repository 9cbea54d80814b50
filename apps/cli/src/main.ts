import { CommanderError } from '@commander-js/extra-typings'
import { EXIT, type ExitCode, failed } from './failure.js'
import { createProgram } from './program.js'
import { clean } from './terminal/clean.js'

/** `spaces` alone, and `spaces help space`, ask for help. */
function normalized(args: readonly string[]): readonly string[] {
  if (args.length === 0) return ['--help']
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args
}

async function main(args: readonly string[]): Promise<ExitCode> {
  try {
    if (args[0] === '__complete') return await offerCompletions(args.slice(1))
    await createProgram().parseAsync(args, { from: 'user' })
    return EXIT.ok
  } catch (error) {
    // Help and version end this way, too.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok
    return report(error, args)
  }
}

/** Answers the completion script of a shell. The words are half typed, so they are not parsed as a command. */
async function offerCompletions(words: readonly string[]): Promise<ExitCode> {
  const [{ cliWith }, { complete }] = await Promise.all([
    import('./start.js'),
    import('./commands/completion/complete.js'),
  ])
  process.stdout.write(await complete(cliWith({ json: true }), words))
  return EXIT.ok
}

async function report(error: unknown, args: readonly string[]): Promise<ExitCode> {
  const { asJson, explain } = await import('./explain.js')
  const explanation = explain(error)
  const { exitCode, detail, hint } = explanation
  // Not the parsed option: a script that misspells another one still reads JSON.
  if (args.includes('--json')) process.stderr.write(`${asJson(explanation)}\n`)
  else process.stderr.write(clean(`spaces: ${detail}\n${hint ? `${hint}\n` : ''}`))
  return exitCode
}

const args = normalized(process.argv.slice(2))

process.stdout.on('error', async ({ code, message }: NodeJS.ErrnoException) => {
  // A reader that has seen enough, as in `spaces read plans | head`, is no failure; a full disk is one.
  process.exit(code === 'EPIPE' ? EXIT.ok : await report(failed(`Cannot write to standard output: ${message}`), args))
})
// A closed standard error does not change what the command does.
process.stderr.on('error', () => {})

const exitCode = await main(args)
// An open connection or prompt must not keep a finished command running.
process.stdout.write('', (error) => {
  if (!error) process.exit(exitCode)
})
