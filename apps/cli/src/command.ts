import type { Command as TypedCommand } from '@commander-js/extra-typings'
import { type AddHelpTextPosition, Command, type Help, type HelpContext } from 'commander'
import { usage } from './failure.js'

/** Adds arguments, options and verbs to a command. */
export type Define = (command: TypedCommand) => void

/** Adds a verb to a noun. */
export type Verb = (noun: TypedCommand) => void

/** A noun that only has verbs, in the order of its help. */
export const nounWith =
  (...verbs: readonly Verb[]): Define =>
  (noun) => {
    for (const verb of verbs) verb(noun)
  }

/** Where the output is no terminal. */
const DEFAULT_WIDTH = 80

/** Below this, descriptions in the help are not wrapped, as nothing would be left to read. */
const MIN_WRAPPED = 16

/** A command that reports misuse like every other failure, says where its help is, and wraps it. */
export class SpacesCommand extends Command {
  override createCommand(name?: string): Command {
    return new SpacesCommand(name)
  }

  /** Prose is wrapped to the width of the terminal. Lines that are indented, such as examples, stay as they are. */
  override addHelpText(position: AddHelpTextPosition, text: unknown): this {
    if (typeof text !== 'string') return super.addHelpText(position, text as string)
    return super.addHelpText(position, () => {
      const width = this.configureOutput().getOutHelpWidth?.() ?? DEFAULT_WIDTH
      const help = this.createHelp()
      const lines = text.replace(/(?<=^\S.*)\n(?=\S)/gm, ' ').split('\n')
      return lines.map((line) => (/^\s/.test(line) ? line : help.boxWrap(line, width))).join('\n')
    })
  }

  override createHelp(): Help {
    return Object.assign(super.createHelp(), { minWidthToWrap: MIN_WRAPPED })
  }

  override error(text: string): never {
    const [message = '', ...suggestions] = text.replace(/^error: /, '').split('\n')
    throw usage(message, [...suggestions, `See: ${pathOf(this)} --help`].join('\n'))
  }

  /** Refuses help on a verb that does not exist: `spaces help nothing`. */
  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    const [verb] = this.args
    const hasVerbs = this.commands.length > 0 && this.registeredArguments.length === 0
    const isKnown = this.commands.some((command) => command.name() === verb || command.aliases().includes(verb ?? ''))
    if (hasVerbs && verb !== undefined && !verb.startsWith('-') && !isKnown) this.#unknownCommand()
    super.outputHelp(context as HelpContext)
  }

  /** The error of commander, with its suggestion. */
  #unknownCommand(): never {
    return (this as unknown as { unknownCommand(): never }).unknownCommand()
  }

  /** Called with `error` for a noun without a verb. */
  override help(context?: HelpContext | ((text: string) => string)): never {
    const isMisuse = typeof context === 'object' && context.error
    if (isMisuse) throw usage('A command is required', this.helpInformation().trimEnd())
    return super.help(context as HelpContext)
  }
}

/** An empty argument is a mistake, such as a variable that was never set: `spaces read "$SPACE"`. */
export function refuseEmpty(command: Command): void {
  for (const [index, argument] of command.registeredArguments.entries()) {
    const given = command.args.slice(index, argument.variadic ? undefined : index + 1)
    if (given.length > 0 && given.join('') === '') command.error(`error: argument '${argument.name()}' is empty`)
  }
}

/** The full name of a command: `spaces space list`. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
