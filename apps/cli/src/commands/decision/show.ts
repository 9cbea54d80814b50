import { type Client, type Decision, WAIT } from '@collab-spaces/client'
import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { decisionsIn } from '../../id/kind.js'
import { isOpen, oneDecision } from '../../show/decision.js'
import { startUntilInterrupted } from '../../start.js'
import { namesIn } from './names.js'

export const show: Verb = (decision) => {
  decision
    .command('show')
    .description('Show a decision')
    .argument('<space>', 'Space ID')
    .argument('<decision>', 'Decision ID')
    .option('--wait', 'Wait until it is settled, superseded or expired')
    .action(
      startUntilInterrupted(async (cli, signal, space_id, given, { wait }) => {
        const client = await cli.client()
        const decision_id = await fullId(cli, decisionsIn(client, space_id), given)
        const [decision, names] = await Promise.all([
          wait
            ? settledDecision(client, { space_id, decision_id }, signal)
            : client.decision.get.query({ space_id, decision_id }, { signal }),
          namesIn(cli, client, space_id),
        ])
        await cli.out.longResult(decision, (decision, style) => oneDecision(decision, names, style))
      }),
    )
}

async function settledDecision(
  client: Client,
  id: { readonly space_id: string; readonly decision_id: string },
  signal: AbortSignal,
): Promise<Decision> {
  for (;;) {
    const decision = await client.decision.get.query({ ...id, wait: WAIT.max }, { signal })
    if (!isOpen(decision)) return decision
  }
}
