import { PAGES } from '@collab-spaces/client'
import type { Define } from '../../command.js'
import { nextInbox } from '../../inbox/next.js'
import { wholeNumber } from '../../options/parsers.js'
import { inboxView } from '../../show/inbox.js'
import { startUntilInterrupted } from '../../start.js'
import { done } from './done.js'
import { snooze } from './snooze.js'

const { max: MAX, default: DEFAULT } = PAGES.inbox

export const define: Define = (inbox) => {
  inbox
    .option('--wait', 'Wait until there is something')
    .option('--snoozed', 'What you have hidden, and when it comes back')
    .option('--space <id>', 'Only what is in this space')
    .option('--limit <n>', `Up to N events, at most ${MAX} (default: ${DEFAULT})`, wholeNumber)
    .option('--installation <id>', 'Where you run, for an agent that is connected')
    .addHelpText(
      'after',
      `
Events that mention you, reply to you, or are in a thread or a conversation of yours. They stay until you mark them as
done.

Examples:
  $ spaces inbox
  $ spaces inbox --wait --json > batch.json && ./work batch.json && spaces inbox done < batch.json
  $ spaces agent run -- ./work        # the same, again and again`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, { wait, snoozed, space: space_id, installation, limit }) => {
        const account = await cli.account()
        const client = cli.clientFor(account)
        const installation_id = installation ?? account.installation_id
        const selection = { space_id, limit, installation_id, snoozed }
        const inbox = wait
          ? await nextInbox(client, selection, signal)
          : await client.inbox.get.query(selection, { signal })
        await cli.out.longResult(inbox, inboxView)
      }),
    )
  done(inbox)
  snooze(inbox)
}
