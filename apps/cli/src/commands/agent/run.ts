import type { AcpOptions } from '../../acp/run.js'
import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { announceRun } from '../../inbox/announce-run.js'
import { Backoff } from '../../inbox/backoff.js'
import { claimedBatch } from '../../inbox/claimed-batch.js'
import { delegatedClaimOn, inEnvironment } from '../../inbox/delegated-claims.js'
import { markDone } from '../../inbox/mark-done.js'
import { isEmpty, mayGoOn, nextInbox } from '../../inbox/next.js'
import { requireProgram, runWith } from '../../inbox/run-with.js'
import { listed, wholeNumber } from '../../options/parsers.js'
import { startUntilInterrupted } from '../../start.js'
import { styled } from '../../terminal/styled.js'

export const run: Verb = (agent) => {
  agent
    .command('run')
    .description('Run a command for each batch of inbox items, or an agent of ACP, until Ctrl-C')
    .argument('[command...]', 'The command, after --')
    .option('--acp <command>', 'Drive an agent that speaks the Agent Client Protocol, which this command starts')
    .option('--budget <tokens>', 'With --acp, size of what the agent is told, from 1,000 (default: 8000)', wholeNumber)
    .option('--max-silence <seconds>', 'With --acp, how long the agent may say nothing (default: 600)', wholeNumber)
    .option(
      '--permit <who>',
      "With --acp, who besides the agent's sponsor can allow what it asks for: the ID of an actor, or policy for those who " +
        'may settle decisions in the space (repeatable)',
      listed,
    )
    .option('--installation <id>', 'Where it runs, for an agent that is connected')
    .addHelpText(
      'after',
      `
The command gets the batch, as \`spaces inbox --json\` prints it, on its standard input, and in SPACES_URL, SPACES_TOKEN
and SPACES_INSTALLATION_ID what it needs for requests of its own (the last one as X-Installation-Id). If it succeeds, the batch is
marked as done. If it fails, or is killed, it gets the batch again, with what has come meanwhile: derive the --key of
each answer from the event that it answers, and nothing is said twice.

While it runs, each event is claimed for it, and what others have claimed is left to them. What it writes with this
program is written with the claim on the event that it replies to or marks as done, or else with the newest of the space:
once another actor holds it, nothing is written. The claims are in SPACES_CLAIMS, and in \`claim\` of each item.

With --acp, each batch becomes a prompt, and what the agent answers is posted as one event. What the agent asks
permission for becomes a decision of the space. Its sponsor, and those that --permit names, allow it by resolving that:
a resolution by others is refused. The agent works in this directory; it is offered neither files nor terminals, but
has its own. What it writes to its directory below outbox/, which the prompt names, is attached to the answer.

Examples:
  $ spaces agent run --profile scout -- sh answer.sh
  $ spaces agent run --profile scout --acp "opencode acp"`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, command, { installation, acp, ...options }) => {
        if (acp !== undefined) return runAcp(cli, signal, command, { installation, acp, ...options })
        requireCommand(command, options)
        const account = await cli.account()
        const installation_id = installation ?? account.installation_id
        const client = cli.clientFor(account)
        const env = cli.environmentFor({ ...account, installation_id })
        await requireProgram(command, env)
        const me = await client.actor.me.query(undefined, { signal })
        await announceRun(cli, client, me, command.join(' '))
        const backoff = new Backoff(signal)
        let isStopped = false
        while (!signal.aborted) {
          try {
            const inbox = await nextInbox(client, { installation_id }, signal)
            const wasStopped = isStopped
            isStopped = inbox.stopped !== null
            if (inbox.stopped) {
              if (!wasStopped) cli.out.note(styled`Stopped: ${inbox.stopped.reason ?? 'no reason given'}`)
              await backoff.pause()
              continue
            }
            const { batch, claims, handed } = await claimedBatch(client, inbox)
            if (isEmpty(batch)) {
              // Nothing of it can be claimed now.
              await backoff.pause()
              continue
            }
            const work = async () => {
              const settings = { env: { ...env, ...inEnvironment(handed) }, signal, output: cli.out.json ? 2 : 1 }
              const outcome = await runWith(command, batch, settings)
              const done = { ...batch.done, installation_id }
              if (outcome === 0) await markDone(client, done, (place) => delegatedClaimOn(handed, place))
              return outcome
            }
            const outcome = await work().finally(() => claims.release())
            const { items, notices } = batch
            await tell(cli, { events: items.length, notices: notices.length, outcome }, signal)
            if (outcome === 0) backoff.reset()
            else await backoff.pause()
          } catch (error) {
            if (signal.aborted) return
            if (!mayGoOn(error)) throw error
            cli.out.note(styled`${error.detail}. Trying again`)
            await backoff.pause()
          }
        }
      }),
    )
}

/** Named as commander names it. */
function requireCommand(command: readonly string[], options: Readonly<Record<string, unknown>>): void {
  if (command.length === 0) throw usage("missing required argument 'command'", 'See: spaces agent run --help')
  if (Object.keys(options).length > 0) throw usage('--budget, --max-silence and --permit are for --acp')
}

async function runAcp(cli: Cli, signal: AbortSignal, command: readonly string[], options: AcpOptions): Promise<void> {
  if (command.length > 0) throw usage('Either --acp or a command after -- can be run')
  const { runAcpAgent } = await import('../../acp/run.js')
  await runAcpAgent(cli, options, signal)
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
