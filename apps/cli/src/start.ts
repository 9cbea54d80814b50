import type { Client } from '@collab-spaces/client'
import type { Command } from 'commander'
import type { Cli, GlobalFlags } from './cli.js'
import { cancelled } from './failure.js'
import { readSettings } from './settings.js'

/** The context of a command, loaded with the client when a command runs: help needs neither. */
export async function cliWith(flags: GlobalFlags): Promise<Cli> {
  const { Cli } = await import('./cli.js')
  // biome-ignore lint/style/noProcessEnv: the one place where the command reads its environment
  return Cli.with(flags, readSettings(process.env))
}

/** The last argument that commander passes to an action. */
export const commandIn = (args: readonly unknown[]) => args.at(-1) as Command

const cliFor = (args: readonly unknown[]) => cliWith(commandIn(args).optsWithGlobals<GlobalFlags>())

/** An action with the context of a command. At Ctrl-C its signal fires, and it ends by itself; a second one ends it. */
export function startUntilInterrupted<A extends unknown[]>(
  run: (cli: Cli, signal: AbortSignal, ...args: A) => Promise<void>,
) {
  return async (...args: A): Promise<void> => {
    const interruption = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort(cancelled()))
    try {
      const cli = await cliFor(args)
      await run(cli, interruption.signal, ...args)
        .catch(async (error: unknown) => {
          const { withNearestSpace } = await import('./id/nearest-space.js')
          throw await withNearestSpace(cli, commandIn(args), error)
        })
        .finally(() => cli.finish())
      await cli.out.finish()
    } catch (error) {
      // Interrupted work fails with an error of its own, which says less.
      throw interruption.signal.aborted ? interruption.signal.reason : error
    }
  }
}

/** The same for one that ends where it stands at Ctrl-C. */
export const start = <A extends unknown[]>(run: (cli: Cli, ...args: A) => Promise<void>) =>
  startUntilInterrupted<A>(async (cli, signal, ...args) => {
    signal.throwIfAborted()
    const interrupted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    await Promise.race([run(cli, ...args), interrupted])
  })

/** The same for a signed-in account, with its client. */
export const withClient = <A extends unknown[]>(run: (client: Client, cli: Cli, ...args: A) => Promise<void>) =>
  start<A>(async (cli, ...args) => run(await cli.client(), cli, ...args))
