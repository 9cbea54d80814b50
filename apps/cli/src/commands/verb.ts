import type { Command } from '@commander-js/extra-typings'

/** Adds a verb to its noun. */
export type Verb = (noun: Command) => void
