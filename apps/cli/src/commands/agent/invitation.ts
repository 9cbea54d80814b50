import type { Verb } from '../../command.js'
import { agentCodesOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import { issued } from '../../input/form.js'
import { expiresOption, OF_AGENTS, scopeOption, spaceOption } from '../../options/limits.js'
import { wholeNumber } from '../../options/parsers.js'
import { listOfAgentCodes } from '../../show/agent-code.js'
import { start, withClient } from '../../start.js'
import { styled } from '../../terminal/styled.js'
import { relativeTime } from '../../terminal/time.js'

export const invite: Verb = (agent) => {
  agent
    .command('invite')
    .description('Invite an agent: print a line to paste where it runs, which is shown once')
    .argument('<name>', 'Name of the agent')
    .option('--about <text>', 'What the agent does')
    .addOption(spaceOption('Space that it joins, and that its key is limited to', 'joins none, no limit'))
    .addOption(scopeOption('its key', OF_AGENTS))
    .addOption(expiresOption('its key'))
    .option('--valid <minutes>', 'How long the line works, 1 to 1440 minutes (default: 15)', wholeNumber)
    .addHelpText(
      'after',
      `
The agent is created, with a key of its own, when the line is run. The line works once. The key is never shown.

Example:
  $ spaces agent invite Scout --space plans --scope read --scope write`,
    )
    .action(
      start(async (cli, display_name, { about: agent_profile, space, scope, expires, valid }) => {
        const { url } = await cli.account()
        const client = await cli.client()
        const invited = await client.agentCode.create.mutate({
          display_name,
          agent_profile,
          space_ids: space,
          scopes: scope,
          key_expires_at: expires,
          expires_in_s: valid === undefined ? undefined : valid * 60,
        })
        cli.out.note(styled`Run this once where ${display_name} runs. It expires ${relativeTime(invited.expires_at)}:`)
        cli.out.result(invited, ({ code }) => `spaces agent join ${issued('agent code', code)} --url ${url}`)
        cli.out.note(`To revoke it: spaces agent uninvite ${invited.code_id}`)
      }),
    )
}

export const invites: Verb = (agent) => {
  agent
    .command('invites')
    .description('List the agents you have invited, newest first')
    .action(
      withClient(async (client, cli) => {
        const codes = await client.rest('agentCode.list', {})
        await cli.out.longResult(codes, listOfAgentCodes)
        await cli.numbers({ noun: 'invitation' }, codes, ({ code_id }) => code_id)
      }),
    )
}

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
