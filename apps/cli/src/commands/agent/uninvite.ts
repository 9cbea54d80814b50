import type { Verb } from '../../command.js'
import { agentCodesOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'

export const uninvite: Verb = (agent) => {
  agent
    .command('uninvite')
    .description('Revoke an invitation; an agent that has already joined is not affected')
    .argument('<agent-code>', 'ID of the invitation, from `spaces agent invites`')
    .action(
      withNamed(agentCodesOf, async (client, cli, code_id) => {
        cli.out.result(await client.agentCode.revoke.mutate({ code_id }), () => `Revoked ${code_id}.`)
      }),
    )
}
