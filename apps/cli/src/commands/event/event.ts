import { WAIT } from '@collab-spaces/client'
import { nounWith, type Verb } from '../../command.js'
import { eventsIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { eventWithReceipts } from '../../show/receipt.js'

export const show: Verb = (event) => {
  event
    .command('show')
    .description('Show an event, its earlier texts, and what became of it with those it addresses')
    .argument('<space>', 'Space ID')
    .argument('<event>', 'Event ID')
    .option('--wait', 'Wait until no recipient may still answer, for at most 50 seconds')
    .action(
      withNamedIn(eventsIn, async (client, cli, space_id, event_id, { wait }) => {
        const event = await client.event.get.query({ space_id, event_id })
        const receipts = await client.receipt.list.query({ space_id, event_id, wait: wait ? WAIT.max : 0 })
        const participants = await client.rest('participant.list', { space_id })
        const revisions = await client.rest('event.revisions', { space_id, event_id })
        const shown = { event, revisions, receipts }
        await cli.out.longResult(shown, (shown, style) => eventWithReceipts(shown, participants, style))
      }),
    )
}

export const define = nounWith(show)
