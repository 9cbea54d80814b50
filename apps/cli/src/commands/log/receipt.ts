import { setTimeout as delay } from 'node:timers/promises'
import { SpacesError } from '@collab-spaces/client'
import type { Verb } from '../../command.js'
import { failed, usage } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { decisionsIn, eventsIn } from '../../id/kind.js'
import { startUntilInterrupted } from '../../start.js'

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
