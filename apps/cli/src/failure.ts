/** Exit codes, as `docs/cli.md` promises them to scripts. */
export const EXIT = { ok: 0, failed: 1, usage: 2, network: 3, authentication: 4, conflict: 5 } as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Why a command failed. The hint says what to do next. */
export class Failure extends Error {
  override readonly name = 'Failure'

  constructor(
    readonly exitCode: ExitCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message)
  }
}

/** The command was called the wrong way. */
export const usage = (message: string, hint?: string) => new Failure(EXIT.usage, message, hint)

/** Fails for a change that changes nothing; `options` are those that would. */
export function requireChange(change: object, options: string): void {
  if (Object.values(change).every((value) => value === undefined)) throw usage('Nothing to change', `Use ${options}`)
}

/** The person, or a signal, cancelled the command. */
export const cancelled = () => new Failure(EXIT.usage, 'Cancelled')

export const failed = (message: string, hint?: string) => new Failure(EXIT.failed, message, hint)

export const notSignedIn = (message: string, hint: string) => new Failure(EXIT.authentication, message, hint)
