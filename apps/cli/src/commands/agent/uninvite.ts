import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { agentCodesOf } from '../../id/kind.js'
import { withClient } from '../../start.js'

export const uninvite: Verb = (agent) => {
  agent
    .command('uninvite')
    .description('Revoke an invitation; an agent that has already joined is not affected')
    .argument('<agent-code>', 'ID of the invitation, from `spaces agent invites`')
    .action(
      withClient(async (client, cli, given) => {
        const code_id = await fullId(cli, agentCodesOf(client), given)
        cli.out.result(await client.agentCode.revoke.mutate({ code_id }), () => `Revoked ${code_id}.`)
      }),
    )
}
