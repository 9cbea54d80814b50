import type { Verb } from '../../command.js'
import { listed } from '../../options/listed.js'
import { oneSpace } from '../../show/space.js'
import { start } from '../../start.js'

export const create: Verb = (space) => {
  space
    .command('create')
    .description('Open a space')
    .argument('<space>', 'its id: letters, digits and . _ : @ ~ -')
    .option('--description <text>', 'what it is for')
    .option('--link <url>', 'a page that belongs to it; may be given again', listed)
    .option('--join', 'join it at once')
    .action(
      start(async (cli, space_id, { description, link: links, join }) => {
        const client = await cli.client()
        await client.space.create.mutate({ space_id, description, links })
        if (join) await client.participant.join.mutate({ space_id })
        cli.out.result(await client.space.status.query({ space_id }), oneSpace)
        cli.out.note(`\nSay something: spaces say ${space_id} "Hello"`)
      }),
    )
}
