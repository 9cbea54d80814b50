import type { Verb } from '../../command.js'
import { oneSpace } from '../../show/space.js'
import { withClient } from '../../start.js'

const pausing =
  (verb: string, status: 'paused' | 'active', description: string): Verb =>
  (space) => {
    space
      .command(verb)
      .description(description)
      .argument('<space>', 'Space ID')
      .action(
        withClient(async (client, cli, space_id) => {
          cli.out.result(await client.space.change.mutate({ space_id, status }), oneSpace)
        }),
      )
  }

export const pause = pausing('pause', 'paused', 'Pause a space: it accepts no events until it is resumed')
export const resume = pausing('resume', 'active', 'Resume a paused space')
