import { CommanderError } from '@commander-js/extra-typings'
import { EXIT, type ExitCode, usage } from './failure.js'
import { createProgram } from './program.js'

/** Whoever reads us has seen enough: `spaces read plans | head` is no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok)
  throw error
})

/** `spaces` alone and `spaces help space` are ways of asking for help. */
function asked(args: readonly string[]): readonly string[] {
  if (args.length === 0) return ['--help']
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args
}

async function main(args: readonly string[]): Promise<ExitCode> {
  let complaint = ''
  const program = createProgram({
    writeErr: (text) => {
      complaint += text
    },
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof CommanderError)) return tell(error, args)
    if (error.exitCode === 0) return EXIT.ok
    return tell(misuse(complaint), args)
  }
}

/** What commander complains of: its message, or for a noun without a verb the help of the noun. */
function misuse(complaint: string) {
  const [first = '', ...rest] = complaint.trim().split('\n')
  if (!first.startsWith('error: ')) return usage('A command is missing', complaint.trim())
  return usage(first.slice('error: '.length), [...rest, 'What there is: --help'].join('\n'))
}

async function tell(error: unknown, args: readonly string[]): Promise<ExitCode> {
  const { asJson, explain } = await import('./explain.js')
  const explanation = explain(error)
  const { exitCode, detail, hint } = explanation
  // Also before the flags are understood: a script that misspells one still reads JSON.
  if (args.includes('--json')) process.stderr.write(`${asJson(explanation)}\n`)
  else process.stderr.write(`spaces: ${detail}\n${hint ? `${hint}\n` : ''}`)
  return exitCode
}

const exitCode = await main(asked(process.argv.slice(2)))
// What still waits for the network or for a key to be pressed must not keep a command that is done.
process.stdout.write('', () => process.exit(exitCode))
