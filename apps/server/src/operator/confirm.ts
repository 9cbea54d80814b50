import { conflict } from '@collab-spaces/domain'
import type { OutputFlags } from './context.js'

/** The options of an irreversible command. */
export interface ConfirmedFlags extends OutputFlags {
  readonly yes?: true
}

export const YES_FLAG = ['--yes', 'confirm; without it, nothing is changed'] as const

/** Requires `--yes`. `warning` is a sentence about the effect. */
export function requireYes({ yes }: ConfirmedFlags, warning: string): void {
  if (!yes) throw conflict(`${warning} To continue, add --yes`)
}
