import { SpacesError } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { Backoff } from '../../inbox/backoff.js'
import { ClaimedBatch } from '../../inbox/claimed-batch.js'
import { nextInbox } from '../../inbox/next.js'
import { runWith } from '../../inbox/run-with.js'
import { startUntilInterrupted } from '../../start.js'
import { cleanLine } from '../../terminal/clean.js'

export const run: Verb = (agent) => {
  agent
    .command('run')
    .description('Run a command for each batch of inbox items, until Ctrl-C')
    .argument('<command...>', 'The command, after --')
    .option('--installation <id>', 'Where it runs, for an agent that is connected')
    .addHelpText(
      'after',
      `
The command gets the batch, as \`spaces inbox --json\` prints it, on its standard input. If it succeeds, the batch is
marked as done. While it runs, each event is claimed for it: \`claim\` of an item, and of the newest one SPACES_CLAIM_ID and
SPACES_CLAIM_FENCE. What others have claimed is left to them. If it fails, or is killed, it gets the batch again, with what has come meanwhile: derive the --key of
each answer from the event that it answers, and nothing is said twice.

Example:
  $ spaces agent run --profile scout -- sh answer.sh`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, command, { installation }) => {
        const account = await cli.account()
        const installation_id = installation ?? account.installation_id
        const client = cli.clientFor(account)
        const env = cli.environmentFor(account)
        const backoff = new Backoff(signal)
        let isStopped = false
        while (!signal.aborted) {
          try {
            const inbox = await nextInbox(client, { installation_id }, signal)
            const wasStopped = isStopped
            isStopped = inbox.stopped !== null
            if (inbox.stopped) {
              if (!wasStopped) cli.out.note(`Stopped: ${cleanLine(inbox.stopped.reason ?? 'no reason given')}`)
              await backoff.pause()
              continue
            }
            const batch = await ClaimedBatch.of(client, inbox)
            if (batch.isEmpty) {
              // Another process or agent works on all of it.
              await backoff.pause()
              continue
            }
            const outcome = await batch.whileHeld(() =>
              runWith(command, batch.inbox, {
                env: { ...env, ...batch.environment },
                signal,
                output: cli.out.json ? 2 : 1,
              }),
            )
            if (outcome === 0) await client.inbox.done.mutate({ ...batch.inbox.done, installation_id })
            const { items, notices } = batch.inbox
            await tell(cli, { events: items.length, notices: notices.length, outcome }, signal)
            if (outcome === 0) backoff.reset()
            else await backoff.pause()
          } catch (error) {
            if (signal.aborted) return
            if (!(error instanceof SpacesError && error.mayPass)) throw error
            cli.out.note(`${cleanLine(error.detail)}. Trying again`)
            await backoff.pause()
          }
        }
      }),
    )
}

interface Batch {
  readonly events: number
  readonly notices: number
  /** The exit code of the command, or the signal that ended it. */
  readonly outcome: number | string
}

/** The outcome of a batch: a line of JSON for scripts, and a note for people when it failed. */
async function tell(cli: Cli, { events, notices, outcome }: Batch, signal: AbortSignal): Promise<void> {
  if (cli.out.json) await cli.out.item({ events, notices, outcome }, () => '', signal)
  else if (outcome !== 0) cli.out.note(`The command failed (${outcome}). It will be run again`)
}
