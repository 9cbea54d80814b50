import { conflict } from '@collab-spaces/domain'
import type { OutputFlags } from './context.js'

/** The options of a command that nothing undoes. */
export interface ConfirmedFlags extends OutputFlags {
  readonly yes?: true
}

export const YES_FLAG = ['--yes', 'confirm; without it, nothing is changed'] as const

/** Such a command has to be said twice. `warning` is a sentence that says what it does. */
export function requireYes({ yes }: ConfirmedFlags, warning: string): void {
  if (!yes) throw conflict(`${warning} To continue, add --yes`)
}
