import type { ConnectionOptions, Database, ObjectStore } from '@collab-spaces/db'
import { conflict } from '@collab-spaces/domain'
import type { Signer } from '@collab-spaces/merkle'
import type { IssuerProblem } from '../sign-in/provider.js'

/** The surroundings of a command: the installation's database, whether a server is running or not, and its output. */
export interface CommandContext {
  /** The name of the program in its help. */
  readonly programName: string
  readonly version: string
  /** Opens the database, runs the work with it, and closes it again. Refuses one that is not up to date. */
  withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** Runs the work with the place of the database, whatever is in it, and the directory of an embedded one. */
  withConnection(work: (connection: ConnectionOptions, directory?: string) => Promise<void>): Promise<void>
  /** The same, and makes an embedded database where there is none. */
  withNewConnection(work: (connection: ConnectionOptions) => Promise<void>): Promise<void>
  /** The signer of the histories of this installation; null if its server key is not at hand. */
  logSigner(connection: ConnectionOptions, directory: string | undefined): Promise<Signer | null>
  /** The bucket for the bytes of files; null without one. */
  readonly bucket: ObjectStore | null
  /** Compares the setting of the identity provider with its metadata; null if they agree, or without a provider. */
  issuerProblem(): Promise<IssuerProblem | null>
  say(line: string): void
  /** Reports progress. */
  note(line: string): void
  /** Marks a completed command that found problems. */
  fail(): void
  /** Aborted when the command is stopped. */
  readonly signal: AbortSignal
}

/** The option that every command has. */
export interface OutputFlags {
  readonly json?: true
}

/** The options of an irreversible command. */
export interface ConfirmedFlags extends OutputFlags {
  readonly yes?: true
}

export const YES_FLAG = ['--yes', 'confirm; without it, nothing is changed'] as const

/** Requires `--yes`. `warning` is a sentence about the effect. */
export function requireYes({ yes }: ConfirmedFlags, warning: string): void {
  if (!yes) throw conflict(`${warning} To continue, add --yes`)
}
