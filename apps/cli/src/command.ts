import type { Command as TypedCommand } from '@commander-js/extra-typings'
import { Command, type HelpContext } from 'commander'
import { usage } from './failure.js'

/** Gives a command its arguments, options and verbs. */
export type Define = (command: TypedCommand) => void

/** Adds a verb to its noun. */
export type Verb = (noun: TypedCommand) => void

/** A command that complains of a misuse as all failures are told, and says where its help is. */
export class SpacesCommand extends Command {
  override createCommand(name?: string): Command {
    return new SpacesCommand(name)
  }

  override error(complaint: string): never {
    const [message = '', ...suggestions] = complaint.replace(/^error: /, '').split('\n')
    throw usage(message, [...suggestions, `See: ${pathOf(this)} --help`].join('\n'))
  }

  /** With an error, somebody has named a noun and no verb. */
  override help(context?: HelpContext | ((text: string) => string)): never {
    const isMisuse = typeof context === 'object' && context.error
    if (isMisuse) throw usage('A command is missing', this.helpInformation().trimEnd())
    return super.help(context as HelpContext)
  }
}

/** The command as it is called, with those it is part of: `spaces space list`. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
