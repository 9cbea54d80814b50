import type { Command } from 'commander'
import { describe, expect, it, vi } from 'vitest'

vi.stubGlobal('__VERSION__', 'test')
// Its scripts are imported as texts, which only the bundler supports.
vi.mock('../src/commands/completion/completion.js', () => ({ define: () => {} }))
const { createProgram, load } = await import('../src/program.js')

/** Returns the commands in the examples of the help. */
async function examples(): Promise<string[]> {
  const program = createProgram()
  for (const noun of program.commands) await load(noun)
  const found: string[] = []
  for (const command of withVerbs(program)) {
    let help = ''
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
    for (const [, line = ''] of help.matchAll(/^ +\$ (.+)$/gm)) found.push(...commandsIn(line))
  }
  return [...new Set(found)]
}

const withVerbs = (command: Command): Command[] => [command, ...command.commands.flatMap(withVerbs)]

/** Returns the commands of this program in a shell line. `spaces done` is an example of an alias. */
const commandsIn = (line: string): string[] =>
  line
    .replace(/ +# .*$/, '')
    .replace(/\$\([^)]*\)/g, 'output')
    .split(/ (?:\||&&|<|>) /)
    .filter((command) => command.startsWith('spaces ') && !command.startsWith('spaces done '))

const wordsOf = (line: string): string[] =>
  (line.match(/(?:"(?:\\.|[^"])*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) =>
    word.replace(/"((?:\\.|[^"])*)"|'([^']*)'/g, '$1$2'),
  )

/** Thrown in place of running the command. */
const PARSED = new Error('parsed')

describe('an example of the help', async () => {
  it.each(await examples())('is parsed: %s', async (line) => {
    const [, ...words] = wordsOf(line)
    const program = createProgram().hook('preAction', () => Promise.reject(PARSED))
    await expect(program.parseAsync(words, { from: 'user' })).rejects.toBe(PARSED)
  })
})
