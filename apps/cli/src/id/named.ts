import type { Client } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { commandIn, withClient } from '../start.js'
import { fullId } from './full-id.js'
import type { Kind } from './kind.js'

/** An action, with a client, on the thing that its first argument names. */
export const withNamed = <A extends unknown[]>(
  kindOf: (client: Client) => Kind,
  run: (client: Client, cli: Cli, id: string, ...args: A) => Promise<void>,
) =>
  withClient<[string, ...A]>(async (client, cli, given, ...args) =>
    run(client, cli, await fullId(cli, kindOf(client), given), ...args),
  )

/** The same in the space that its first argument names: the thing is the second. */
export const withNamedIn = <A extends unknown[]>(
  kindIn: (client: Client, space_id: string) => Kind,
  run: (client: Client, cli: Cli, space_id: string, id: string, ...args: A) => Promise<void>,
) =>
  withClient<[string, string, ...A]>(async (client, cli, space_id, given, ...args) =>
    run(client, cli, space_id, await fullId(cli, kindIn(client, space_id), given, commandIn(args).opts().key), ...args),
  )
