import { Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { withClient } from '../../start.js'
import { PERSON, peopleFrom } from './people.js'
import { tellIncomingSecret } from './secret.js'

const FORMATS = ['json', 'slack', 'standard', 'github'] as const

export const create: Verb = (incoming) => {
  incoming
    .command('create')
    .description('Create an address where another tool posts in a space, as an agent of its own')
    .argument('<space>', 'Space ID')
    .argument('<name>', 'Name of the agent that it posts as')
    .addOption(new Option('--format <format>', 'What the tool sends').choices(FORMATS).default('json' as const))
    .option('--template <text>', 'Text of a message of Standard Webhooks, such as "{{data.name}} paid"')
    .option(...PERSON)
    .addHelpText(
      'after',
      `
Address and secret go to standard output, in a line each, and are shown once:
  $ spaces incoming create plans CI --format github --person octocat=Ada
  $ (umask 077; spaces incoming create plans Alerts --format slack > alerts.hook)`,
    )
    .action(
      withClient(async (client, cli, space_id, name, { format, template, person }) => {
        const people = person && (await peopleFrom(client, space_id, person))
        const made = await client.incomingWebhook.create.mutate({ space_id, name, format, template, people })
        tellIncomingSecret(cli, made)
      }),
    )
}
