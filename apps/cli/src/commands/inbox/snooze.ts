import type { RouterInputs } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { decisionsIn, eventsIn, noticesOf } from '../../id/kind.js'
import { future, MOMENTS } from '../../options/moment.js'
import { hiddenInWords } from '../../show/inbox.js'
import { withClient } from '../../start.js'

type Client = ReturnType<Cli['clientFor']>
type SnoozeInput = RouterInputs['inbox']['snooze']

export const snooze: Verb = (inbox) => {
  inbox
    .command('snooze')
    .description('Hide something in your inbox until a time, or until something new comes')
    .argument('[space]', 'Space ID')
    .argument('[event]', 'Event ID')
    .option('--decision <id>', 'A decision of the space that waits for you')
    .option('--notice <id>', 'A notice')
    .option(
      '--until <time>',
      `When it comes back: ${MOMENTS}; before that, and without a time, something new brings it back`,
      future,
    )
    .addHelpText(
      'after',
      `
What brings it back before: for an event a later item of its space, such as an answer, for a decision a review, for a
notice the next one about the same.

Examples:
  $ spaces inbox snooze plans last --until 2h
  $ spaces inbox snooze plans last
  $ spaces inbox snooze plans --decision 019f --until 3d
  $ spaces inbox snooze --notice 019f --until 2h
  $ spaces inbox --snoozed
  $ spaces inbox snooze --notice 019f --until now    # brings it back`,
    )
    .action(
      withClient(async (client, cli, space_id, event, { until, decision, notice }) => {
        const named = await snoozedBy(cli, client, { space_id, event, decision, notice }, isBack(until))
        const done = await client.inbox.snooze.mutate({ ...named, until })
        cli.out.result(done, () => outcomeOf(until))
      }),
    )
}

const isBack = (until: string | undefined): boolean => until !== undefined && Date.parse(until) <= Date.now()

const outcomeOf = (until: string | undefined): string => (isBack(until) ? 'Back in your inbox' : hiddenInWords(until))

type SnoozeTarget = Readonly<Record<'space_id' | 'event' | 'decision' | 'notice', string | undefined>>

async function snoozedBy(cli: Cli, client: Client, target: SnoozeTarget, isBack: boolean): Promise<SnoozeInput> {
  const { space_id, event, decision, notice } = target
  if ([event, decision, notice].filter((one) => one !== undefined).length !== 1) {
    throw usage('Say what to hide', 'A space and an event, a space and --decision, or --notice')
  }
  if (notice !== undefined) return { notices: [await fullId(cli, noticesOf(client, isBack), notice)] }
  if (space_id === undefined) throw usage('The space of the decision is required')
  if (decision !== undefined) {
    return { decisions: [{ space_id, decision_id: await fullId(cli, decisionsIn(client, space_id), decision) }] }
  }
  return { items: [{ space_id, event_id: await fullId(cli, eventsIn(client, space_id), event ?? '') }] }
}
