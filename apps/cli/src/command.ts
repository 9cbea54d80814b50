import type { Command as TypedCommand } from '@commander-js/extra-typings'
import { Command, type HelpContext } from 'commander'
import { usage } from './failure.js'

/** Adds arguments, options and verbs to a command. */
export type Define = (command: TypedCommand) => void

/** Adds a verb to a noun. */
export type Verb = (noun: TypedCommand) => void

/** A command that reports misuse like every other failure, and says where its help is. */
export class SpacesCommand extends Command {
  override createCommand(name?: string): Command {
    return new SpacesCommand(name)
  }

  override error(text: string): never {
    const [message = '', ...suggestions] = text.replace(/^error: /, '').split('\n')
    throw usage(message, [...suggestions, `See: ${pathOf(this)} --help`].join('\n'))
  }

  /** Called with `error` for a noun without a verb. */
  override help(context?: HelpContext | ((text: string) => string)): never {
    const isMisuse = typeof context === 'object' && context.error
    if (isMisuse) throw usage('A command is required', this.helpInformation().trimEnd())
    return super.help(context as HelpContext)
  }
}

/** The full name of a command: `spaces space list`. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
