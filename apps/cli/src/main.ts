import { CommanderError } from '@commander-js/extra-typings'
import { EXIT, type ExitCode, failed } from './failure.js'
import { createProgram, globalOptions, isCommand } from './program.js'
import { columnsOf, wrappedProse } from './terminal/prose.js'

/** Topics of help beside the commands. */
const TOPIC = 'options'

/** `spaces` alone, and `spaces help space`, ask for help. */
function normalized(args: readonly string[]): readonly string[] {
  if (args.length === 0) return ['--help']
  return args[0] === 'help' && args[1] !== TOPIC ? [...args.slice(1), '--help'] : args
}

/** `--json` takes its fields after a `=` only: without that, it would take the next argument for them. */
function withPlainJson(args: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  return args.map((arg, index) => (arg === '--json' && index < end ? '--json=' : arg))
}

/** The command line that an alias stands for. A command of the program is no alias, so only others are looked up. */
async function withAlias(args: readonly string[]): Promise<readonly string[]> {
  const [name = '', ...rest] = args
  if (name === '' || name.startsWith('-') || name === '__complete' || isCommand(name)) return args
  const [{ cliWith }, { expanded }] = await Promise.all([import('./start.js'), import('./alias/expand.js')])
  const expansion = (await (await cliWith({})).aliases.read())[name]
  return expansion === undefined ? args : expanded(name, expansion, rest)
}

const asksForJson = (args: readonly string[]) => args.some((arg) => arg === '--json' || arg.startsWith('--json='))

async function main(args: readonly string[]): Promise<ExitCode> {
  try {
    if (args[0] === '__complete') return await offerCompletions(args.slice(1))
    if (args[0] === 'help') {
      globalOptions().outputHelp()
      return EXIT.ok
    }
    await createProgram().parseAsync(withPlainJson(await withAlias(args)), { from: 'user' })
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
  process.stdout.write(await complete(await cliWith({ json: '' }), words))
  return EXIT.ok
}

async function report(error: unknown, args: readonly string[]): Promise<ExitCode> {
  const { asJson, explain } = await import('./explain.js')
  const explanation = explain(error)
  const { exitCode, detail, hint } = explanation
  // Not the parsed option: a script that misspells another one still reads JSON.
  if (asksForJson(args)) process.stderr.write(`${asJson(explanation)}\n`)
  else {
    const text = `spaces: ${detail}\n${hint ? `${hint}\n` : ''}`
    process.stderr.write(wrappedProse(text, columnsOf(process.stderr)).ansi)
  }
  return exitCode
}

const args = normalized(process.argv.slice(2))

/** Known before it is closed. */
const isTerminal = Boolean(process.stdout.isTTY)

process.stdout.on('error', async ({ code, message }: NodeJS.ErrnoException) => {
  // At its exit, Node aborts if it cannot reset a terminal that is gone.
  if (code === 'EIO' && isTerminal) process.kill(process.pid, 'SIGHUP')
  // A reader that has seen enough, as in `spaces read plans | head`, is no failure; a full disk is one.
  else
    process.exit(code === 'EPIPE' ? EXIT.ok : await report(failed(`Cannot write to standard output: ${message}`), args))
})
// A closed standard error does not change what the command does.
process.stderr.on('error', () => {})

const exitCode = await main(args)
// An open connection or prompt must not keep a finished command running.
process.stdout.write('', (error) => {
  if (!error) process.exit(exitCode)
})
