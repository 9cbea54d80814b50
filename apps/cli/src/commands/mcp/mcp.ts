import { Home } from '@collab-spaces/client'
import type { Define } from '../../command.js'
import { startUntilInterrupted } from '../../start.js'
import { bridge } from './bridge.js'

export const define: Define = (mcp) => {
  mcp
    .addHelpText(
      'after',
      `
An MCP host starts this command and talks to it on standard input and output. It passes everything on to the server
with the token of the account, so that no configuration of a host holds one.

Examples:
  $ claude mcp add spaces -- spaces mcp --profile scout
  $ codex mcp add spaces -- spaces mcp --profile scout`,
    )
    .action(
      startUntilInterrupted(async (cli, signal) => {
        const account = await cli.account()
        const home = new Home<RequestInit, Response>({ ...cli.movesFrom(account), fetch: cli.fetch })
        await bridge(home, account, cli.out, signal)
      }),
    )
}
