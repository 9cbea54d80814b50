import type { Verb } from '../../command.js'
import { preferencesOf } from '../../show/space.js'
import { withClient } from '../../start.js'

const pinning =
  (verb: string, pinned: boolean, description: string): Verb =>
  (space) => {
    space
      .command(verb)
      .description(description)
      .argument('<space>', 'Space ID')
      .action(
        withClient(async (client, cli, space_id) => {
          const preferences = await client.preference.change.mutate({ space_id, pinned })
          cli.out.result(preferences, (shown, style) => preferencesOf(space_id, shown, style))
        }),
      )
  }

export const pin = pinning('pin', true, 'Pin a space for yourself: the page lists it first')
export const unpin = pinning('unpin', false, 'Unpin a space')
