import type { Argument, Command, Option } from 'commander'
import type { AccountSelection } from '../../account/account.js'
import { type Aliases, wordsOf } from '../../alias/expand.js'
import type { Cli } from '../../cli.js'
import { createProgram, isCommand, load } from '../../program.js'
import { cleanLine } from '../../terminal/clean.js'
import { aliasCandidates, type Candidate, candidatesOf, FILES } from './candidate.js'

/** The words before the one that is being typed. */
interface Line {
  readonly command: Command
  /** The arguments that the command has so far. */
  readonly given: readonly string[]
  /** The option whose value comes next. */
  readonly pending: Option | undefined
  readonly wanted: AccountSelection
}

/** Needs no quotes in any shell. Nothing else that a server sends is offered. */
const PLAIN = /^[\w.:@~/=+-]+$/

/**
 * The completions of the last word, one per line, each with a tab before its meaning. They come from the same program
 * that runs the commands. Errors offer nothing: a person who presses Tab does not want to see them.
 */
export async function complete(cli: Cli, words: readonly string[]): Promise<string> {
  const candidates = await candidatesFor(cli, words.slice(0, -1), words.at(-1) ?? '').catch(() => [])
  return candidates
    .filter(({ value }) => PLAIN.test(value) || value === FILES.value)
    .map(({ value, meaning }) => `${value}\t${cleanLine(meaning)}\n`)
    .join('')
}

async function candidatesFor(cli: Cli, before: readonly string[], word: string): Promise<Candidate[]> {
  const aliases = await cli.aliases.read()
  const line = await read(withoutAlias(before[0] === 'help' ? before.slice(1) : before, aliases))
  const startsSo = (candidate: Candidate) => candidate === FILES || candidate.value.startsWith(word)
  const account = await cli.as(line.wanted)

  if (line.pending) return (await valuesOf(line.pending, account, line)).filter(startsSo)
  const [, flag, start] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
  if (flag !== undefined && start !== undefined) {
    const option = optionsOf(line.command).find(({ long }) => long === flag)
    const values = option ? await valuesOf(option, account, line) : []
    return values.map((candidate) => ({ ...candidate, value: `${flag}=${candidate.value}` })).filter(startsSo)
  }
  if (word.startsWith('-')) return flagsOf(line.command).filter(startsSo)
  // After an unknown verb, nothing can be offered.
  if (line.command.commands.length > 0) {
    const own = line.command.parent ? [] : aliasCandidates(aliases)
    return line.given.length > 0 ? [] : [...verbsOf(line.command), ...own].filter(startsSo)
  }
  const argument = argumentAt(line.command, line.given.length)
  return argument ? (await valuesOf(argument, account, line)).filter(startsSo) : []
}

/** The words with an alias replaced by what it stands for, so far as its arguments are typed. */
function withoutAlias([name = '', ...rest]: readonly string[], aliases: Aliases): string[] {
  const expansion = isCommand(name) ? undefined : aliases[name]
  if (expansion === undefined) return name === '' ? rest : [name, ...rest]
  return [...wordsOf(expansion).filter((word) => !word.startsWith('$')), ...rest]
}

/** Follows the words to the command that they call. */
async function read(words: readonly string[]): Promise<Line> {
  let command = createProgram()
  const given: string[] = []
  let pending: Option | undefined
  const wanted: { url?: string; profile?: string } = {}
  const take = (option: Option, value: string) => {
    if (option.long === '--url') wanted.url = value
    if (option.long === '--profile') wanted.profile = value
  }
  for (const word of words) {
    const verb = command.commands.find((verb) => verb.name() === word)
    if (pending) {
      take(pending, word)
      pending = undefined
    } else if (word.startsWith('-')) {
      const [flag, value] = word.split(/=(.*)/s)
      const option = optionsOf(command).find(({ long, short }) => long === flag || short === flag)
      if (option && value !== undefined) take(option, value)
      else if (option?.required) pending = option
    } else if (verb) {
      if (!command.parent) await load(verb)
      command = verb
    } else {
      given.push(word)
    }
  }
  return { command, given, pending, wanted }
}

/** The options of a command, and of all commands it is part of. */
const optionsOf = (command: Command): Option[] => [
  ...command.createHelp().visibleOptions(command),
  ...(command.parent ? optionsOf(command.parent).filter(({ long }) => long !== '--help' && long !== '--version') : []),
]

const flagsOf = (command: Command): Candidate[] =>
  optionsOf(command).map(({ long, flags, description }) => ({ value: long ?? flags, meaning: description }))

const verbsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((verb) => ({ value: verb.name(), meaning: verb.description() }))

/** The argument at a position; the last one may take all that follow. */
function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1)
  return registeredArguments[index] ?? (last?.variadic ? last : undefined)
}

/** The possible values of an argument or an option: its choices, or the things that it names. */
async function valuesOf(parameter: Argument | Option, cli: Cli, { given: [space] }: Line): Promise<Candidate[]> {
  if (parameter.argChoices) return parameter.argChoices.map((value) => ({ value, meaning: '' }))
  const kind = namesOf(parameter).find((name) => Object.hasOwn(candidatesOf, name))
  return kind === undefined ? [] : ((await candidatesOf[kind]?.(cli, space)) ?? [])
}

/** The names of a value: for `--space <id>`, `id` and then `space`. */
const namesOf = (parameter: Argument | Option): string[] =>
  'flags' in parameter ? [...(parameter.flags.match(/(?<=[<[])\w+/g) ?? []), parameter.name()] : [parameter.name()]
