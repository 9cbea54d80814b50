import { setTimeout as delay } from 'node:timers/promises'
import { SpacesError } from '@collab-spaces/client'
import { Option } from '@commander-js/extra-typings'
import type { Cli } from '../cli.js'
import { nounWith, type Verb } from '../command.js'
import { failed, usage } from '../failure.js'
import { fullId } from '../id/full-id.js'
import { decisionsIn, eventsIn } from '../id/kind.js'
import { wholeNumber } from '../options/parsers.js'
import { actionFrom } from '../proof/action.js'
import { authorizedDigest } from '../proof/authorization.js'
import { checkpointFrom, keyFrom, type VerifiedProof, verifyFile } from '../proof/file.js'
import { SealedFiles } from '../proof/files.js'
import { TREES, verifySpace } from '../proof/space.js'
import { printing } from '../proof/stream.js'
import { oneLog, oneReceipt, provenLog, provenReceipt } from '../show/log.js'
import { startUntilInterrupted } from '../start.js'
import { lines } from '../terminal/styled.js'

export const exportLog: Verb = (log) => {
  log
    .command('export')
    .description('Print the history of a space as a file that proves itself')
    .argument('<space>', 'Space ID')
    .addOption(new Option('--tree <history>', 'Which history').choices(TREES).default('events' as const))
    .option('--after <position>', 'Only what comes after this position', wholeNumber)
    .addHelpText(
      'after',
      `
Lines of JSON: each event byte for byte as it is stored, and what it takes to check them without a server.

Example:
  $ spaces log export plans > plans.log`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, space_id, { tree, after }) => {
        const client = await cli.client()
        await client.rest('log.export', { space_id, tree, after }, { read: printing(cli.out, signal), signal })
      }),
    )
}

/** A new event is sealed within two seconds, and a little later on a busy server. */
const MAX_ATTEMPTS = 8

export const receipt: Verb = (log) => {
  log
    .command('receipt')
    .description('Print a file that proves a decision, or an event')
    .argument('<space>', 'Space ID')
    .argument('[decision]', 'Decision ID')
    .option('--event <event>', 'An event instead of a decision')
    .addHelpText(
      'after',
      `
That of a decision proves who proposed it, which humans stood behind the approvals, and the rules of the time. What was
said a moment ago is waited for until it is sealed.

Example:
  $ spaces log receipt plans 4f0c1d2e > receipt.json`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, space_id, given, { event }) => {
        if ((given === undefined) === (event === undefined)) throw usage('Name either a decision or --event')
        const client = await cli.client()
        const subject =
          given === undefined
            ? { event_id: await fullId(cli, eventsIn(client, space_id), event as string) }
            : { decision_id: await fullId(cli, decisionsIn(client, space_id), given) }
        const receipt = await onceSealed(() => client.log.proof.query({ space_id, ...subject }, { signal }), signal)
        if (receipt.entries.length === 0) throw failed('There is nothing to prove')
        // In its one spelling, which is signed.
        await cli.out.verbatim([`${JSON.stringify(receipt)}\n`], signal)
      }),
    )
}

/** Asks again as long as the server says when. */
async function onceSealed<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      const wait = error instanceof SpacesError && error.status === 409 ? error.retryAfterMs : null
      if (wait === null || attempt === MAX_ATTEMPTS) throw error
      await delay(wait, undefined, { signal })
    }
  }
}

export const verify: Verb = (log) => {
  log
    .command('verify')
    .description('Check that a history, or a file of it, is what was sealed')
    .argument('<space-or-file>', 'Space ID; with --key, a file')
    .option('--key <key>', 'Check a file, without a server: the public key that signs it, or a file with that')
    .option(
      '--action <file>',
      'With --key: check that this JSON is the action which the decision of a receipt authorizes',
    )
    .option('--since <file>', 'With --key: an earlier checkpoint, which the log has to go on from')
    .option('--since-key <key>', 'The public key that signed --since, if it was another one')
    .option('--files <directory>', 'Also check that each file in it is one of the history, by its bytes')
    .option('--accept-new', 'Accept another key, or a new epoch, of which the operator has told')
    .addHelpText(
      'after',
      `
Of a space, it reads all of its history, and remembers its newest checkpoint: the next time, the history has to go on
from there, also under another key; only a new epoch begins anew. It remembers by profile and address: under another
one, it starts over, and says which key it takes. The key of a server is at /log/keys: get it from a source you trust.

A file of an unknown beginning proves only that a server with this key saw these entries. That nothing was rewritten
before, an earlier checkpoint proves.

Examples:
  $ spaces log verify plans
  $ spaces log verify plans.log --key keys.txt --since last-year.log`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, target, options) => {
        const { key, since, sinceKey, action, files, acceptNew = false } = options
        if (key === undefined && action !== undefined) throw usage('--action is for receipts: add --key')
        if (key === undefined && since !== undefined) throw usage('--since is for files: add --key')
        if (since === undefined && sinceKey !== undefined) throw usage('--since-key is for --since')
        if (key !== undefined) return verifyTheFile(cli, target, { ...options, key })
        const { url, profile } = await cli.account()
        const place = profile === null ? url : `${profile} on ${url}`
        const client = await cli.client()
        const sealed = new SealedFiles()
        const logs = await verifySpace({
          client,
          pins: cli.pins,
          place,
          spaceId: target,
          acceptsNew: acceptNew,
          onEntry: sealed.add,
          onFirstKey: (key) => cli.out.note(`First time at ${place}: its key is ${key}`),
          signal,
        })
        if (files !== undefined) await checkFiles(cli, sealed, files)
        cli.out.result(logs.map(provenLog), (_, style) => lines(logs.map((log) => oneLog(log, style))))
      }),
    )
}

interface FileOptions {
  readonly key: string
  readonly since?: string | undefined
  readonly sinceKey?: string | undefined
  readonly acceptNew?: true | undefined
  readonly action?: string | undefined
  readonly files?: string | undefined
}

async function checkFiles(cli: Cli, sealed: SealedFiles, directory: string): Promise<void> {
  const count = await sealed.requireAll(directory)
  cli.out.note(`${directory}: ${count === 1 ? '1 file' : `${count} files`} as sealed`)
}

async function verifyTheFile(
  cli: Cli,
  path: string,
  { since, sinceKey, acceptNew, action, files, ...given }: FileOptions,
) {
  const sealed = new SealedFiles()
  if (acceptNew && since === undefined) throw usage('With --key, --accept-new is for --since')
  const key = await keyFrom(given.key)
  const formerKey = sinceKey === undefined ? key : await keyFrom(sinceKey, '--since-key')
  const proven = await verifyFile(path, {
    key,
    since: since === undefined ? undefined : await checkpointFrom(since, formerKey),
    acceptsNewEpoch: acceptNew,
    onEntry: sealed.add,
  })
  if (files !== undefined) await checkFiles(cli, sealed, files)
  if (action !== undefined) await requireAction(proven, action)
  if ('log' in proven) cli.out.result(provenLog(proven.log), (_, style) => oneLog(proven.log, style))
  else cli.out.result(provenReceipt(proven.receipt), (_, style) => oneReceipt(proven.receipt, style))
}

/** Fails unless a file is the action that the decision of a receipt authorizes. */
async function requireAction(proven: VerifiedProof, path: string): Promise<void> {
  if (!('receipt' in proven) || proven.receipt.subject !== 'decision') {
    throw usage('--action is for the receipt of a decision')
  }
  const { digest } = await actionFrom(path)
  const approved = authorizedDigest(proven.receipt)
  if (approved === digest) return
  throw failed(
    `${path} is not the action of this decision`,
    approved === null ? 'The decision was not resolved with an action' : `Its digest is ${digest}, not ${approved}`,
  )
}

export const define = nounWith(exportLog, receipt, verify)
