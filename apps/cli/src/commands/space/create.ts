import type { Verb } from '../../command.js'
import { listed } from '../../options/parsers.js'
import { oneSpace } from '../../show/space.js'
import { withClient } from '../../start.js'

export const create: Verb = (space) => {
  space
    .command('create')
    .description('Create a space')
    .argument('<space>', 'Space ID: letters, digits and . _ : @ ~ -')
    .option('--title <text>', 'What people call it, beside its ID')
    .option('--description <text>', 'Description of the space')
    .option('--link <url>', 'Web page about the space (repeatable)', listed)
    .option('--private', 'Only for participants that you add')
    .option('--join', 'Join the space')
    .action(
      withClient(async (client, cli, space_id, { title, description, link: links, private: isPrivate, join }) => {
        await client.space.create.mutate({
          space_id,
          title,
          description,
          links,
          ...(isPrivate && { visibility: 'private' }),
        })
        if (join) await client.participant.join.mutate({ space_id })
        cli.out.result(await client.space.status.query({ space_id }), oneSpace)
        cli.out.note(`\nSay something: spaces say ${space_id} "Hello"`)
      }),
    )
}
