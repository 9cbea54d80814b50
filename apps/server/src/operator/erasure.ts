import { conflict, LIMITS, type Scope } from '@collab-spaces/domain'
import { type Command, InvalidArgumentError } from 'commander'
import { JSON_FLAG, type OutputFlags } from './context.js'

/** The options of a command that erases something. */
export interface ErasureFlags extends OutputFlags {
  readonly by: string
  readonly reason?: string
  readonly yes?: true
}

/** Adds the options that say who wants something erased, and why. */
export const erasing = (command: Command): Command =>
  command
    .requiredOption('--by <who>', 'who asked for it, for the record', textUpTo(LIMITS.erasureBy))
    .option('--reason <text>', 'why, for the record', textUpTo(LIMITS.erasureReason))
    .option('--yes', 'confirm; without it, nothing is erased')
    .option(...JSON_FLAG)

function textUpTo(longest: number) {
  return (given: string) => {
    const { length } = Array.from(given)
    if (length > 0 && length <= longest) return given
    throw new InvalidArgumentError(`It must have 1 to ${longest} characters.`)
  }
}

export const requestOf = (scope: Scope, spaceId: string, { by, reason }: ErasureFlags) => ({
  scope,
  spaceId,
  requestedBy: by,
  reason: reason ?? null,
})

/** Nothing brings back what was erased, so it has to be said twice. */
export function requireYes({ yes }: ErasureFlags, what: string): void {
  if (!yes) throw conflict(`This ${what}. Only a backup can restore that. To continue, add --yes`)
}
