import type { Argument, Command, Option } from 'commander'
import type { Wanted } from '../../account/account.js'
import type { Cli } from '../../cli.js'
import { createProgram, load } from '../../program.js'
import { cleanLine } from '../../terminal/clean.js'
import { type Candidate, FILES, nameable } from './candidate.js'

/** What stands on the line before the word that is being typed. */
interface Line {
  readonly command: Command
  /** How many arguments the command has been given. */
  readonly given: number
  /** The option whose value comes next. */
  readonly waiting: Option | undefined
  readonly wanted: Wanted
}

/** Nothing but these needs no quotes in any shell, and nothing that a server sends shall be more than a word. */
const PLAIN = /^[\w.:@~/=+-]+$/

/**
 * What the last word may become, a line each, with a tab before what it means. It is taken from the same program that
 * runs the commands. Whatever goes wrong offers nothing: a person who presses Tab wants no errors.
 */
export async function complete(cli: Cli, words: readonly string[]): Promise<string> {
  const candidates = await candidatesFor(cli, words.slice(0, -1), words.at(-1) ?? '').catch(() => [])
  return candidates
    .filter(({ value }) => PLAIN.test(value) || value === FILES.value)
    .map(({ value, about }) => `${value}\t${cleanLine(about)}\n`)
    .join('')
}

async function candidatesFor(cli: Cli, before: readonly string[], word: string): Promise<Candidate[]> {
  const line = await read(before[0] === 'help' ? before.slice(1) : before)
  const startsSo = (candidate: Candidate) => candidate === FILES || candidate.value.startsWith(word)
  const account = cli.as(line.wanted)

  if (line.waiting) return (await valuesOf(line.waiting, account)).filter(startsSo)
  const [, flag, start] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
  if (flag !== undefined && start !== undefined) {
    const option = optionsOf(line.command).find(({ long }) => long === flag)
    const values = option ? await valuesOf(option, account) : []
    return values.map((candidate) => ({ ...candidate, value: `${flag}=${candidate.value}` })).filter(startsSo)
  }
  if (word.startsWith('-')) return flagsOf(line.command).filter(startsSo)
  // With a verb that is none, nobody knows what comes next.
  if (line.command.commands.length > 0) return line.given > 0 ? [] : verbsOf(line.command).filter(startsSo)
  const argument = argumentAt(line.command, line.given)
  return argument ? (await valuesOf(argument, account)).filter(startsSo) : []
}

/** Follows the words from the program to the command that they call. */
async function read(words: readonly string[]): Promise<Line> {
  let command = createProgram()
  let given = 0
  let waiting: Option | undefined
  const wanted: { url?: string; profile?: string } = {}
  const take = (option: Option, value: string) => {
    if (option.long === '--url') wanted.url = value
    if (option.long === '--profile') wanted.profile = value
  }
  for (const word of words) {
    const verb = command.commands.find((verb) => verb.name() === word)
    if (waiting) {
      take(waiting, word)
      waiting = undefined
    } else if (word.startsWith('-')) {
      const [flag, value] = word.split(/=(.*)/s)
      const option = optionsOf(command).find(({ long, short }) => long === flag || short === flag)
      if (option && value !== undefined) take(option, value)
      else if (option?.required) waiting = option
    } else if (verb) {
      if (!command.parent) await load(verb)
      command = verb
    } else {
      given += 1
    }
  }
  return { command, given, waiting, wanted }
}

/** Its own, and those of all commands that it is part of. */
const optionsOf = (command: Command): Option[] => [
  ...command.createHelp().visibleOptions(command),
  ...(command.parent ? optionsOf(command.parent).filter(({ long }) => long !== '--help' && long !== '--version') : []),
]

const flagsOf = (command: Command): Candidate[] =>
  optionsOf(command).map(({ long, flags, description }) => ({ value: long ?? flags, about: description }))

const verbsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((verb) => ({ value: verb.name(), about: verb.description() }))

/** The last argument may take all that follow. */
function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1)
  return registeredArguments[index] ?? (last?.variadic ? last : undefined)
}

/** What an argument or an option may be: one of its choices, or one of the things that it names. */
async function valuesOf(taker: Argument | Option, cli: Cli): Promise<Candidate[]> {
  if (taker.argChoices) return taker.argChoices.map((value) => ({ value, about: '' }))
  const kind = namesOf(taker).find((name) => Object.hasOwn(nameable, name))
  return kind === undefined ? [] : ((await nameable[kind]?.(cli)) ?? [])
}

/** What a taker calls its value: for `--space <id>` that is `id`, and then `space`. */
const namesOf = (taker: Argument | Option): string[] =>
  'flags' in taker ? [...(taker.flags.match(/(?<=<)\w+/g) ?? []), taker.name()] : [taker.name()]
