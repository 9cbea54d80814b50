import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { checkpointFrom, keyFrom, verifyFile } from '../../proof/file.js'
import { verifySpace } from '../../proof/space.js'
import { oneLog, oneReceipt, provenLog, provenReceipt } from '../../show/log.js'
import { startUntilInterrupted } from '../../start.js'

export const verify: Verb = (log) => {
  log
    .command('verify')
    .description('Check that a history, or a file of it, is what was sealed')
    .argument('<space-or-file>', 'Space ID; with --key, a file')
    .option('--key <key>', 'Check a file, without a server: the public key that signs it, or a file with that')
    .option('--since <file>', 'With --key: an earlier checkpoint, which the log has to go on from')
    .option('--accept-new', 'Another key, or a new epoch, is what the operator has told of')
    .addHelpText(
      'after',
      `
Of a space, it reads all of its history, and remembers its newest checkpoint: the next time, the history has to go on
from there. The key of a server is at /log/keys: get it from somebody you trust.

Examples:
  $ spaces log verify plans
  $ spaces log verify plans.log --key keys.txt --since last-year.log`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, target, { key, since, acceptNew = false }) => {
        if (key === undefined && since !== undefined) throw usage('--since is for files: add --key')
        if (key !== undefined) return verifyTheFile(cli, target, key, since)
        const { url, profile } = await cli.account()
        const place = profile === null ? url : `${profile} on ${url}`
        const client = await cli.client()
        const logs = await verifySpace({
          client,
          pins: cli.pins,
          place,
          spaceId: target,
          acceptsNew: acceptNew,
          signal,
        })
        cli.out.result(logs.map(provenLog), (_, style) => logs.map((log) => oneLog(log, style)).join('\n'))
      }),
    )
}

async function verifyTheFile(cli: Cli, path: string, givenKey: string, since: string | undefined): Promise<void> {
  const key = await keyFrom(givenKey)
  const proven = await verifyFile(path, key, since === undefined ? undefined : await checkpointFrom(since, key))
  if ('log' in proven) cli.out.result(provenLog(proven.log), (_, style) => oneLog(proven.log, style))
  else cli.out.result(provenReceipt(proven.receipt), (_, style) => oneReceipt(proven.receipt, style))
}
