import type { Define } from '../../command.js'
import { eventsIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { styled } from '../../terminal/styled.js'
import { send } from './say.js'

export const define: Define = (retract) => {
  retract
    .argument('<space>', 'Space ID')
    .argument('<event>', 'Event of yours')
    .argument('[reason...]', 'Why')
    .option('--key <key>', 'Idempotency key: the event is retracted once per key')
    .addHelpText(
      'after',
      `
Readers see that it is retracted. It is no erasure: the history keeps the text, and \`spaces event show\` prints it.

Examples:
  $ spaces retract plans last
  $ spaces retract plans 019b8d64-62df-7d8d-82e8-fa6b3938ade1 Posted in the wrong space`,
    )
    .action(
      withNamedIn(eventsIn, async (client, cli, space_id, event_id, reason: string[], { key }) => {
        const me = await client.actor.me.query()
        const text = reason.join(' ') || 'Retracted'
        const event = await send(client, me, { space_id, text, retracts: event_id, idempotency_key: key })
        cli.out.result(event, () => styled`Retracted ${event.retracts ?? event_id}. The history keeps its text.`)
      }),
    )
}
