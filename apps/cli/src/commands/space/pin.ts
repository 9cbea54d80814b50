import type { Verb } from '../../command.js'
import { preferencesOf } from '../../show/space.js'
import { withClient } from '../../start.js'

interface Pinning {
  readonly verb: string
  readonly description: string
  readonly pinned: boolean
}

const pinning =
  ({ verb, description, pinned }: Pinning): Verb =>
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

export const pin = pinning({
  verb: 'pin',
  description: 'Pin a space for yourself: the page lists it first',
  pinned: true,
})
export const unpin = pinning({ verb: 'unpin', description: 'Unpin a space', pinned: false })
