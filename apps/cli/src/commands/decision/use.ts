import type { Verb } from '../../command.js'
import { explain } from '../../explain.js'
import { failed } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { decisionsIn } from '../../id/kind.js'
import { requireProgram, runWith } from '../../inbox/run-with.js'
import { HELD_CLAIM } from '../../options/held-claim.js'
import { actionFrom } from '../../proof/action.js'
import { oneDecision } from '../../show/decision.js'
import { startUntilInterrupted } from '../../start.js'
import { styled } from '../../terminal/styled.js'
import { send } from '../event/say.js'
import { namesIn } from './names.js'
import { placed } from './place.js'

export const use: Verb = (decision) => {
  decision
    .command('use')
    .description('Use the action of a resolved decision, once, and run a command for it')
    .argument('<space>', 'Space ID; a whole decision ID needs none before it')
    .argument('[decision]', 'Decision ID')
    .argument('[command...]', 'After --: the command that does the action')
    .requiredOption('--action <file>', 'The action that is about to be done, as JSON: {"type": …, "arguments": {…}}')
    .option('--key <key>', 'Idempotency key: a retry with it gets the same answer, and runs the command again')
    .option(...HELD_CLAIM)
    .addHelpText(
      'after',
      `
The command runs only if this use succeeded, which it does once ever, for exactly the approved arguments. It gets the
decision as JSON on its standard input, and its ID in SPACES_DECISION. How it ended is said in the space.

Example:
  $ spaces decision use plans 4f0c1d2e --action deploy.json -- make deploy`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, first, second, rest, { action: file, key, claim: held }) => {
        const account = await cli.account()
        const client = cli.clientFor(account)
        const given = [first, second, ...rest].filter((word) => word !== undefined)
        const { space_id, wanted, words: command } = await placed(client, given)
        const decision_id = await fullId(cli, decisionsIn(client, space_id), wanted, key)
        const { digest } = await actionFrom(file)
        const env = { ...cli.environmentFor(account), SPACES_DECISION: decision_id }
        if (command.length > 0) await requireProgram(command, env)
        const claim = cli.claimFor(held, { space_id })
        const me = await client.actor.me.query()
        signal.throwIfAborted()
        const used = await client.decision.use.mutate({ space_id, decision_id, digest, idempotency_key: key, claim })
        // A failure would leave the decision used in vain.
        const names = await namesIn(cli, client, space_id).catch(() => new Map())
        cli.out.result(used, ({ decision }, style) => oneDecision(decision, names, style))
        if (command.length === 0) return
        const isLate = signal.aborted
        const outcome = isLate ? null : await runWith(command, used, { env, signal, output: cli.out.json ? 2 : 1 })
        const text = `Decision ${decision_id}: its action ${isLate ? 'was not begun' : `ended with ${outcome}`}.`
        // Without the claim, which may have lapsed meanwhile.
        await send(client, me, { space_id, text }).catch((error: unknown) =>
          cli.out.note(styled`How it ended could not be said in the space: ${explain(error).detail}`),
        )
        if (isLate) cli.out.note('The decision is used, but the command was not run')
        if (outcome !== 0) throw failed(`The command ended with ${outcome}`)
      }),
    )
}
