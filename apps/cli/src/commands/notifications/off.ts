import { foldName } from '@collab-spaces/client'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { type Channel, channelName, notificationsView } from '../../show/notifications.js'
import { withClient } from '../../start.js'

export const off: Verb = (notifications) => {
  notifications
    .command('off')
    .description('Be told nowhere any more, or no longer at one address or in one browser')
    .argument('[channel]', 'An address, or a browser by its name or ID; by default all of them')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces notifications off
  $ spaces notifications off 'Firefox on Linux'`,
    )
    .action(
      withClient(async (client, cli, given) => {
        const { channels } = await client.notification.get.query()
        const ended = channels.filter((channel) => given === undefined || isCalled(channel, given))
        if (given !== undefined && ended.length === 0) {
          throw usage(`You are not told at ${given}`, 'See where you are: spaces notifications')
        }
        for (const { channel_id } of ended) await client.notification.removeChannel.mutate({ channel_id })
        cli.out.result(await client.notification.get.query(), notificationsView)
      }),
    )
}

const isCalled = (channel: Channel, given: string) =>
  [channel.channel_id, channelName(channel)].some((name) => foldName(name) === foldName(given))
